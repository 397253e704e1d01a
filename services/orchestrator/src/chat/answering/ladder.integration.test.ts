import { randomUUID } from 'node:crypto';
import { FALLBACK_RUNGS, mitigationFlags, type Mitigation } from '@matsuri/contract';
import { eventually } from '../../../test/eventually';
import type { AnswerPart, SessionRef } from '../ports';
import {
  degradationOf,
  endingsOf,
  partsOf,
  setAnsweringStage,
  textOf,
  unheard,
  type AnsweringStage,
} from './test/stage';

const COMPLEX = 'jp.anthropic.claude-sonnet-5';
const DONE = [{ type: 'done', finish: 'stop' }];

let stage: AnsweringStage;
let session: SessionRef;
let epoch = Date.now();

beforeAll(async () => {
  stage = await setAnsweringStage({
    overrides: { mitigations: { cacheSeconds: { normal: 1, event: 60, throttled: 120 } } },
  });
});
afterAll(() => stage.close());
beforeEach(async () => {
  session = await stage.newSession();
});
afterEach(async () => {
  stage.bedrock.reset();
  stage.bedrock.pace('instant');
  await mitigate([]);
});

/** As the autoscaler would; in force when an answer shows it. */
async function mitigate(mitigations: readonly Mitigation[], cacheSeconds = 1): Promise<void> {
  epoch += 1;
  const active = mitigations.map((mitigation) => ({ mitigation, reason: 'test', sinceMs: 0 }));
  const flags = mitigationFlags.encode({ active, cacheSeconds, epoch });
  await stage.redis.set(mitigationFlags.key(), flags, 'EX', 60);
  await eventually(() => stage.mitigations.now().epoch === epoch);
}

/** Every chat model refuses; embeddings go on. */
function refuse(when: { readonly model?: string } = {}): void {
  const throttle = { name: 'throttle' } as const;
  for (const operation of ['Converse', 'ConverseStream']) {
    stage.bedrock.script({ script: throttle, times: 1_000, when: { operation, ...when } });
  }
}

const ask = (text: string, on = session): Promise<AnswerPart[]> => partsOf(stage.ask(on, text));
const generated = () => stage.bedrock.ledger().filter(({ text }) => text !== '').length;

test('a throttled larger model: the small one answers, and the answer says so', async () => {
  for (const profile of [
    COMPLEX,
    'global.anthropic.claude-sonnet-5',
    'jp.anthropic.claude-sonnet-4-6',
  ]) {
    refuse({ model: profile });
  }
  const parts = await ask(`おすすめの漫画を教えて ${unheard()}`);
  expect(endingsOf(parts)).toMatchObject(DONE);
  expect(degradationOf(parts)).toEqual({ parts: ['model'], rung: 'small_model' });
  expect(parts.find((part) => part.type === 'usage')?.model).toContain('haiku');
});

test('load is shifted to the small model while the flag says so', async () => {
  await mitigate(['shift_to_simple']);
  const parts = await ask(`おすすめの漫画を教えて ${unheard()}`);
  expect(degradationOf(parts)).toEqual({ parts: [], rung: 'small_model' });
  await mitigate([]);
  const after = await ask(`おすすめの漫画を教えて ${unheard()}`, await stage.newSession());
  expect(degradationOf(after).rung).toBe('full');
});

test('no model: an older answer, then a prepared one, then the truth with a time to come back', async () => {
  const text = 'ポイントの有効期限はいつまでですか';
  const first = await ask(text);
  await stage.answerer.idle();
  refuse();
  const other = await stage.newSession();
  // Past its freshness, which is a second here.
  const older = await eventually(async () => {
    const parts = await ask(text, await stage.newSession());
    return degradationOf(parts).rung === 'cached_answer' && parts;
  }, 10_000);
  expect(degradationOf(older).parts).toEqual(['model']);
  expect(textOf(older)).toBe(textOf(first));
  expect(endingsOf(older)).toMatchObject(DONE);

  const prepared = await ask(`送料はいくらですか ${unheard()}`, other);
  expect(degradationOf(prepared).rung).toBe('template');
  expect(textOf(prepared)).toContain('400円');
  expect(endingsOf(prepared)).toMatchObject(DONE);

  const followUp = await ask('それの続きをもっと詳しく教えて', other);
  expect(degradationOf(followUp).rung).toMatch(/template|apology/);
  if (degradationOf(followUp).rung === 'apology') {
    expect(endingsOf(followUp)).toMatchObject([{ type: 'error', code: 'overloaded' }]);
    const [error] = endingsOf(followUp);
    expect(error?.type === 'error' && error.retryAfterMs).toBeGreaterThan(0);
  }
});

test('a fallback answer is never cached', async () => {
  const text = `送料はいくらですか ${unheard()}`;
  refuse();
  expect(degradationOf(await ask(text)).rung).toBe('template');
  await stage.answerer.idle();
  stage.bedrock.reset();
  const parts = await eventually(async () => {
    const tried = await ask(text, await stage.newSession());
    return degradationOf(tried).rung === 'full' && tried;
  }, 40_000);
  expect(textOf(parts)).not.toContain('400円');
}, 60_000);

/** Whoever said it just now; nobody, where it was said before. */
const modelsOf = (parts: readonly AnswerPart[]): readonly string[] =>
  parts.flatMap((part) => (part.type === 'usage' ? [part.model] : []));

test('what the small model said in place of the larger one is told to nobody again', async () => {
  const text = `おすすめの漫画を教えて ${unheard()}`;
  await mitigate(['shift_to_simple']);
  expect(degradationOf(await ask(text)).rung).toBe('small_model');
  await stage.answerer.idle();
  await mitigate(['extend_cache'], 120);
  const shifted = await ask(text, await stage.newSession('user-2'));
  expect(degradationOf(shifted).rung).toBe('full');
  expect(modelsOf(shifted)).toEqual([expect.stringContaining('sonnet')]);
});

test('nor what it said to a caller who may not use the larger one', async () => {
  const text = `おすすめの漫画を教えて ${unheard()}`;
  await mitigate(['extend_cache'], 120);
  const { caller } = stage.questionOf(session, text, {});
  const bound = { caller: { ...caller, allowedModels: ['simple'] } };
  expect(degradationOf(await partsOf(stage.ask(session, text, undefined, bound))).rung).toBe(
    'small_model',
  );
  await stage.answerer.idle();
  const free = await ask(text, await stage.newSession('user-2'));
  expect(modelsOf(free)).toEqual([expect.stringContaining('sonnet')]);
});

test('what the small model says where it is the one deserved is kept, load shifted or not', async () => {
  const text = `新刊の発売日はいつですか ${unheard()}`;
  await mitigate(['shift_to_simple', 'extend_cache'], 120);
  const first = await ask(text);
  expect(modelsOf(first)).toEqual([expect.stringContaining('haiku')]);
  await stage.answerer.idle();
  const second = await ask(text, await stage.newSession('user-2'));
  expect(modelsOf(second)).toEqual([]);
  expect(textOf(second)).toBe(textOf(first));
});

test('answers are kept longer while the flag says so, and say that they are old', async () => {
  await mitigate(['extend_cache'], 120);
  const text = `新刊の発売日はいつですか ${unheard()}`;
  const first = await ask(text);
  expect(degradationOf(first)).toEqual({ parts: [], rung: 'full' });
  await stage.answerer.idle();
  const before = generated();
  // Past its own freshness, which is a second here.
  const second = await eventually(async () => {
    const parts = await ask(text, await stage.newSession());
    return degradationOf(parts).rung !== 'full' && parts;
  });
  expect(degradationOf(second)).toEqual({ parts: [], rung: 'longer_cache' });
  expect(textOf(second)).toBe(textOf(first));
  expect(generated()).toBe(before);

  await mitigate([]);
  const after = await ask(text, await stage.newSession());
  expect(degradationOf(after)).toEqual({ parts: [], rung: 'full' });
  expect(generated()).toBe(before + 1);
});

test('common questions are answered without a model while the flag says so', async () => {
  await mitigate(['templates']);
  const before = generated();
  const parts = await ask(`送料はいくらですか ${unheard()}`);
  expect(degradationOf(parts).rung).toBe('template');
  expect(generated()).toBe(before);
});

test('identical public questions share one stream: one row carries the tokens, the others none', async () => {
  await mitigate(['coalesce']);
  stage.bedrock.pace({ firstTokenMs: 150, tokensPerSecond: 200 });
  const text = `店舗の営業時間を教えてください ${unheard()}`;
  const sessions = await Promise.all(
    Array.from({ length: 5 }, (_, at) => stage.newSession(`user-${at}`)),
  );
  const before = generated();
  const ids = sessions.map(() => randomUUID());
  const answers = await Promise.all(
    sessions.map((on, at) => partsOf(stage.ask(on, text, undefined, { messageId: ids[at] ?? '' }))),
  );
  expect(generated()).toBe(before + 1);
  expect(new Set(answers.map(textOf)).size).toBe(1);
  const rungs = answers.map((parts) => degradationOf(parts).rung);
  expect(rungs.filter((rung) => rung === 'coalesced')).toHaveLength(4);
  const paid = answers.filter((parts) =>
    parts.some((part) => part.type === 'usage' && part.outputTokens > 0),
  );
  expect(paid).toHaveLength(1);

  const rows = await eventually(async () => {
    const found = await stage.pool.query<{ status: string; tokens: number }>({
      text: `SELECT status, (input_tokens + output_tokens)::int AS tokens
               FROM usage_attempts
              WHERE request_id = ANY($1) AND status <> 'reserved' AND requested_model <> 'embed'`,
      values: [ids],
    });
    return found.length === 5 && found;
  });
  expect(rows.filter(({ status }) => status === 'coalesced').map(({ tokens }) => tokens)).toEqual([
    0, 0, 0, 0,
  ]);
  expect(rows.filter(({ tokens }) => tokens > 0)).toHaveLength(1);
});

test('who shares the stream of a smaller model is told that it is one', async () => {
  await mitigate(['coalesce', 'shift_to_simple']);
  stage.bedrock.pace({ firstTokenMs: 150, tokensPerSecond: 200 });
  const text = `おすすめの漫画を教えて ${unheard()}`;
  const before = generated();
  const answers = await Promise.all(
    ['user-1', 'user-2'].map(async (user) => ask(text, await stage.newSession(user))),
  );
  expect(generated()).toBe(before + 1);
  expect(answers.map((parts) => degradationOf(parts).rung)).toEqual(['small_model', 'small_model']);
});

test('every rung is measured, whether or not anybody stands on it', () => {
  const written = stage.written().join('\n');
  for (const rung of FALLBACK_RUNGS) expect(written).toContain(`"Rung":"${rung}"`);
});

test('a shared stream goes on without its leader, and ends with its last reader', async () => {
  await mitigate(['coalesce']);
  stage.bedrock.pace({ firstTokenMs: 50, tokensPerSecond: 5 });
  const text = `店舗の営業時間を教えてください ${unheard()}`;
  const [one, two] = [await stage.newSession('user-1'), await stage.newSession('user-2')];
  const leaves = [new AbortController(), new AbortController()] as const;
  const spoken = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()] as const;
  const read = async (on: SessionRef, at: 0 | 1): Promise<AnswerPart[]> => {
    const parts: AnswerPart[] = [];
    for await (const batch of stage.ask(on, text, leaves[at].signal)) {
      parts.push(...batch);
      if (textOf(parts) !== '') spoken[at].resolve(undefined);
    }
    return parts;
  };
  const answers = [read(one, 0), read(two, 1)] as const;
  await Promise.all(spoken.map(({ promise }) => promise));
  leaves[0].abort();
  const first = await answers[0];
  expect(endingsOf(first)).toMatchObject([{ type: 'done', finish: 'cancelled' }]);
  const running = () => stage.gateway.figures().active;
  expect(running()).toBe(1);
  leaves[1].abort();
  expect(endingsOf(await answers[1])).toMatchObject([{ type: 'done', finish: 'cancelled' }]);
  await eventually(() => running() === 0);
});

test('personal questions are never shared', async () => {
  await mitigate(['coalesce']);
  stage.bedrock.pace({ firstTokenMs: 100, tokensPerSecond: 500 });
  const before = generated();
  const text = `私の注文はどこですか ${unheard()}`;
  await Promise.all([
    ask(text, await stage.newSession('user-1')),
    ask(text, await stage.newSession('user-2')),
  ]);
  expect(generated()).toBe(before + 2);
});
