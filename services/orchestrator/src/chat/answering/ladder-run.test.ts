import type { Mitigation } from '@matsuri/contract';
import type { GatewayCall, Outcome, StreamedAnswer } from '../../gateway/gateway';
import type { CachedAnswer } from './core/cached-answer';
import { LADDER, type LadderSignal, type RungRule } from './core/ladder';
import { PROMPT_VERSION } from './core/prompt';
import { degradationOf, textOf } from './test/answer-parts';
import { loneAnswerer } from './test/lone-answerer';
import { streamOf } from './test/stream-of';

const SHIPPING = 'How much is shipping?';
const ADVICE = 'What shall I read next?';
const CACHE_SECONDS = 120;

type Models = 'answer' | 'the larger one refuses' | 'refuse';

interface Situation {
  readonly text?: string;
  readonly active?: readonly Mitigation[];
  readonly models?: Models;
  readonly cachedForSeconds?: number;
  readonly ladder?: readonly RungRule[];
}

/** The rung that an answer stands on, where it is counted once. */
async function rungOf(situation: Situation): Promise<string> {
  const { text = ADVICE, active = [], models = 'answer', cachedForSeconds, ladder } = situation;
  const cached = cachedForSeconds === undefined ? undefined : writtenBefore(cachedForSeconds);
  const { ask, counted } = loneAnswerer({
    gateway: {
      open: (call) => Promise.resolve(opened(call, models)),
      modelsFor: () => ['simple', 'complex'],
    },
    intent: () => Promise.resolve(text === SHIPPING ? 'faq' : 'recommendation'),
    cache: { read: () => Promise.resolve(cached), write: () => Promise.resolve() },
    mitigations: {
      now: () => ({ active: new Set(active), cacheSeconds: CACHE_SECONDS, epoch: 1 }),
    },
    ...(ladder && { ladder }),
  });
  const parts = await ask(text);
  const { rung } = degradationOf(parts);
  expect(textOf(parts) === '').toBe(rung === 'apology');
  expect(counted('answers')).toEqual([rung]);
  return rung;
}

/** As it ships but for one rung. */
function ladderWith(rung: string, enteredBy: readonly LadderSignal[]): readonly RungRule[] {
  return LADDER.map((rule) => (rule.rung === rung ? { ...rule, enteredBy } : rule));
}

const OLD = 3_000;
const STRETCHED = 60;

test.each<[string, Situation]>([
  ['full', {}],
  ['full', { cachedForSeconds: 10, models: 'refuse' }],
  ['full', { cachedForSeconds: STRETCHED }],
  ['longer_cache', { cachedForSeconds: STRETCHED, active: ['extend_cache'] }],
  ['full', { cachedForSeconds: OLD, active: ['extend_cache'] }],
  ['small_model', { active: ['shift_to_simple'] }],
  ['small_model', { models: 'the larger one refuses' }],
  ['cached_answer', { models: 'refuse', cachedForSeconds: OLD }],
  ['template', { models: 'refuse' }],
  ['template', { text: SHIPPING, active: ['templates'] }],
  ['template', { text: SHIPPING, active: ['templates'], cachedForSeconds: OLD }],
  ['full', { active: ['templates'] }],
  ['full', { text: SHIPPING, active: ['coalesce', 'page'] }],
])('%s: %j', async (rung, situation) => {
  expect(await rungOf(situation)).toBe(rung);
});

test.each<[string, string, readonly LadderSignal[], Situation]>([
  ['longer_cache', 'longer_cache', [], { cachedForSeconds: 60 }],
  ['longer_cache', 'longer_cache', ['coalesce'], { cachedForSeconds: 60, active: ['coalesce'] }],
  ['full', 'longer_cache', ['coalesce'], { cachedForSeconds: 60, active: ['extend_cache'] }],
  ['full', 'small_model', ['larger-model-refused'], { active: ['shift_to_simple'] }],
  ['small_model', 'small_model', ['coalesce'], { active: ['coalesce'] }],
  ['template', 'small_model', ['shift_to_simple'], { models: 'the larger one refuses' }],
  [
    'cached_answer',
    'cached_answer',
    ['templates'],
    { cachedForSeconds: OLD, active: ['templates'] },
  ],
  ['template', 'cached_answer', ['templates'], { cachedForSeconds: OLD, models: 'refuse' }],
  ['full', 'template', ['models-refused'], { text: SHIPPING, active: ['templates'] }],
  ['template', 'template', ['coalesce'], { text: SHIPPING, active: ['coalesce'] }],
  ['apology', 'template', ['templates'], { models: 'refuse' }],
])('%s, were %s entered by %j: %j', async (expected, rung, enteredBy, situation) => {
  expect(await rungOf({ ...situation, ladder: ladderWith(rung, enteredBy) })).toBe(expected);
});

test.each<[number, readonly LadderSignal[]]>([
  [2, ['coalesce']],
  [1, ['templates']],
])('%i streams for two who ask the same, were they shared by %j', async (streams, enteredBy) => {
  let opens = 0;
  const { ask } = loneAnswerer({
    gateway: {
      open: (call) => {
        opens += 1;
        return Promise.resolve(opened(call, 'answer'));
      },
      modelsFor: () => ['simple', 'complex'],
    },
    mitigations: { now: () => ({ active: new Set(['templates']), cacheSeconds: 1, epoch: 1 }) },
    ladder: ladderWith('coalesced', enteredBy),
  });
  await Promise.all([ask('When do you open?'), ask('When do you open?')]);
  expect(opens).toBe(streams);
});

function opened({ request }: GatewayCall, models: Models): Outcome<StreamedAnswer> {
  const refuses = models === 'refuse' || (models !== 'answer' && request.model === 'complex');
  if (refuses) {
    const refusal = { reason: 'upstream-throttled', subject: 'x', waitMs: 1 } as const;
    return { kind: 'refused', refusal };
  }
  return { kind: 'answered', answer: streamOf(['hello']) };
}

function writtenBefore(seconds: number): CachedAnswer {
  return {
    text: 'as before',
    intent: 'recommendation',
    sources: [],
    tenantId: 't',
    userId: null,
    model: 'simple',
    servedBy: 'p@r',
    promptVersion: PROMPT_VERSION,
    madeFor: 'm-0',
    writtenAtMs: Date.now() - seconds * 1_000,
    freshSeconds: 30,
  };
}
