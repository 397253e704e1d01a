import type { AnswerPart } from '../ports';
import type { AnswererOptions } from './create-answerer';
import type { SharedEntry } from './shared-streams';
import { endingsOf, textOf } from './test/answer-parts';
import { loneAnswerer } from './test/lone-answerer';
import { streamOf } from './test/stream-of';

const gatewayOf = (failure?: Error): AnswererOptions['gateway'] => ({
  open: () => Promise.resolve({ kind: 'answered', answer: streamOf(['half', ' an'], failure) }),
  modelsFor: () => ['simple', 'complex'],
});

test('an answer that its model breaks off is counted where it stood, and as broken', async () => {
  const { ask, counted } = loneAnswerer({ gateway: gatewayOf(new Error('cut')) });
  const parts = await ask('q');
  expect(textOf(parts)).toBe('half an');
  expect(endingsOf(parts)).toMatchObject([{ type: 'error', code: 'upstream_failed' }]);
  expect(counted('answers')).toEqual(['full']);
  expect(counted('brokenAnswers')).toEqual(['upstream_failed']);
});

test('so is one that is lost with the task that made it, and its use is on record', async () => {
  const half = [BEGIN, { type: 'text', text: 'half' } as const];
  const { ask, counted, sharedUses } = loneAnswerer(led([...half, BROKEN]));
  expect(endingsOf(await ask('q'))).toMatchObject([{ type: 'error', code: 'answer_lost' }]);
  expect(counted('answers')).toEqual(['coalesced']);
  expect(counted('brokenAnswers')).toEqual(['answer_lost']);
  expect(await sharedUses()).toEqual(['m']);
});

test('who leaves a shared answer midway has had it too', async () => {
  const leaves = new AbortController();
  const { answerer, question, sharedUses, counted } = loneAnswerer(
    led([BEGIN, { type: 'text', text: 'half' }]),
  );
  const parts: AnswerPart[] = [];
  for await (const batch of answerer.answer(question('q'), leaves.signal)) {
    parts.push(...batch);
    if (textOf(parts) !== '') leaves.abort();
  }
  expect(endingsOf(parts)).toMatchObject([{ type: 'done', finish: 'cancelled' }]);
  expect(await sharedUses()).toEqual(['m']);
  expect(counted('brokenAnswers')).toEqual([]);
});

test('who may what the leader may not asks alone, and pays', async () => {
  const refusal = { reason: 'spend-cap-reached', subject: 'day' } as const;
  let asked = 0;
  const { ask, counted, sharedUses } = loneAnswerer({
    gateway: {
      open: () => {
        asked += 1;
        return Promise.resolve(
          asked === 1
            ? { kind: 'refused', refusal }
            : { kind: 'answered', answer: streamOf(['hello']) },
        );
      },
      modelsFor: () => ['simple', 'complex'],
    },
    mitigations: COALESCED,
  });
  const [, second] = await Promise.all([ask('q'), ask('q')]);
  expect(second.find(({ type }) => type === 'usage')).toMatchObject({ outputTokens: 1 });
  expect(counted('answers').toSorted()).toEqual(['full', 'template']);
  expect(await sharedUses()).toEqual([]);
});

test('one that ends is not broken', async () => {
  const { ask, counted } = loneAnswerer({ gateway: gatewayOf() });
  expect(endingsOf(await ask('q'))).toMatchObject([{ type: 'done', finish: 'stop' }]);
  expect(counted('brokenAnswers')).toEqual([]);
});

const COALESCED: AnswererOptions['mitigations'] = {
  now: () => ({ active: new Set(['coalesce']), cacheSeconds: 1, epoch: 1 }),
};
const BROKEN: SharedEntry = { type: 'broken' };
const BEGIN: SharedEntry = {
  type: 'begin',
  model: 'simple',
  servedBy: { name: 'p@r', target: { profile: 'p', region: 'r' } },
  sources: [],
  degraded: [],
  rung: 'full',
};

/** Where another task answers, and says this of it. */
function led(entries: readonly SharedEntry[]): Partial<AnswererOptions> {
  const unread = [...entries];
  return {
    streams: {
      claim: () =>
        Promise.resolve({
          kind: 'following',
          stream: {
            read: () => Promise.resolve(unread.splice(0)),
            attend: () => Promise.resolve(),
            isLed: () => Promise.resolve(true),
          },
        }),
    },
    mitigations: COALESCED,
  };
}
