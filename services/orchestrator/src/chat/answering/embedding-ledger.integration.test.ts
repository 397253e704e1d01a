import { randomUUID } from 'node:crypto';
import { MODEL_CATALOGUE } from '@matsuri/contract';
import { createApiTokenRepository, createPepperRing } from '@matsuri/database';
import { priceMicroUsd } from '../../gateway/core/call-price';
import type { Question, SessionRef } from '../ports';
import {
  degradationOf,
  endingsOf,
  partsOf,
  setAnsweringStage,
  unheard,
  type AnsweringStage,
} from './test/stage';

let stage: AnsweringStage;
beforeAll(async () => {
  stage = await setAnsweringStage();
});
afterAll(() => stage.close());

const NEVER = new AbortController().signal;
const RING = createPepperRing([{ version: 1, secret: Buffer.alloc(32, 3) }]);
const EMBED = MODEL_CATALOGUE.aliases.embed[0]?.profile ?? '';

interface Row {
  readonly attempt_id: string;
  readonly status: string;
  readonly outcome: string;
  readonly input_tokens: string;
  readonly cost_micro_usd: string;
  readonly reserved_micro_usd: string;
  readonly token_id: string | null;
}

/** What the ledger says of a message's embeddings, once nothing of it is open. */
async function rowsOf(messageId: string): Promise<readonly Row[]> {
  for (;;) {
    const rows = await stage.pool.query<Row>({
      text: `SELECT * FROM usage_attempts WHERE request_id = $1 AND requested_model = 'embed' ORDER BY attempt_id`,
      values: [messageId],
    });
    if (rows.every(({ status }) => status !== 'reserved')) return rows;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const embeddings = () =>
  stage.bedrock.ledger().filter(({ operation }) => operation === 'InvokeModel');

async function ask(session: SessionRef, changes: Partial<Question> = {}) {
  const before = embeddings().length;
  const messageId = randomUUID();
  const text = `おすすめの漫画 ${unheard()}`;
  const parts = await partsOf(stage.ask(session, text, NEVER, { messageId, ...changes }));
  return { parts, rows: await rowsOf(messageId), calls: embeddings().slice(before) };
}

/** An API token with limits of its own. */
async function callerWith(limits: { readonly cap?: number; readonly tpm?: number }) {
  const token = await createApiTokenRepository(stage.pool, RING).create({
    tenantId: stage.tenant,
    userId: 'backend',
    name: 'test',
    allowedModels: null,
    rpm: null,
    tpm: limits.tpm ?? null,
    dayCapMicroUsd: limits.cap ?? null,
    monthCapMicroUsd: null,
    expiresAt: null,
  });
  return {
    tenantId: stage.tenant,
    userId: 'user-1',
    tokenId: token.token.id,
    allowedModels: null,
    residencies: null,
    requestsPerMinute: null,
    tokensPerMinute: limits.tpm ?? null,
  };
}

test('an embedding is one row: the tokens that the model counted, at the price of the catalogue', async () => {
  const { rows, calls } = await ask(await stage.newSession());
  expect(calls).toHaveLength(1);
  const [call] = calls;
  const usage = { inputTokens: call?.inputTokens ?? 0, outputTokens: 0 };
  const profile = MODEL_CATALOGUE.profiles[EMBED];
  if (!profile) throw new RangeError(EMBED);
  const cost = priceMicroUsd(profile, { ...usage, cacheReadTokens: 0, cacheWriteTokens: 0 });
  expect(cost).toBeGreaterThan(0);
  expect(rows).toMatchObject([
    {
      attempt_id: call?.attemptId,
      status: 'settled',
      outcome: 'completed',
      input_tokens: String(usage.inputTokens),
      cost_micro_usd: String(cost),
    },
  ]);
  expect(Number(rows[0]?.reserved_micro_usd)).toBeGreaterThanOrEqual(cost);
});

test('every attempt has its own row: one that was refused is free, the next is not', async () => {
  stage.bedrock.script({ script: { name: 'throttle' }, when: { model: EMBED }, times: 1 });
  const { rows, calls, parts } = await ask(await stage.newSession());
  expect(degradationOf(parts).parts).toEqual([]);
  expect(rows.map(({ attempt_id: id }) => id).sort()).toEqual(
    calls.map(({ attemptId }) => attemptId).sort(),
  );
  expect(rows.map(({ outcome }) => outcome)).toEqual(['upstream-error', 'completed']);
  expect(rows[0]?.cost_micro_usd).toBe('0');
});

test('an answer that is cancelled while it is embedded leaves nothing open', async () => {
  const session = await stage.newSession();
  const messageId = randomUUID();
  const cancel = new AbortController();
  stage.bedrock.pace({ firstTokenMs: 2_000, tokensPerSecond: 50 });
  const before = embeddings().length;
  const answer = partsOf(stage.ask(session, `漫画 ${unheard()}`, cancel.signal, { messageId }));
  while (embeddings().length === before) await new Promise((resolve) => setTimeout(resolve, 5));
  cancel.abort();
  await answer;
  stage.bedrock.pace('instant');
  expect(await rowsOf(messageId)).toMatchObject([{ status: 'estimated', outcome: 'client-gone' }]);
});

test('who has spent it all has nothing embedded', async () => {
  const caller = await callerWith({ cap: 0 });
  const { rows, calls, parts } = await ask(await stage.newSession(), { caller });
  expect(calls).toEqual([]);
  expect(rows).toEqual([]);
  expect(degradationOf(parts).parts).toContain('embedding');
  expect(endingsOf(parts)).toHaveLength(1);
});

test('its tokens count against the limit of the API token', async () => {
  const caller = await callerWith({ tpm: 1 });
  const { calls, parts } = await ask(await stage.newSession(), { caller });
  expect(calls).toEqual([]);
  expect(degradationOf(parts).parts).toContain('embedding');
  const generous = await callerWith({ tpm: 1_000_000 });
  const { rows } = await ask(await stage.newSession(), { caller: generous });
  expect(rows).toMatchObject([{ token_id: generous.tokenId, outcome: 'completed' }]);
});

test('who may not be served where the model is has nothing embedded, and is answered without', async () => {
  const session = await stage.newSession();
  const { caller } = stage.questionOf(session, '', {});
  const { rows, calls, parts } = await ask(session, {
    caller: { ...caller, residencies: ['global'] },
  });
  expect({ rows, calls }).toEqual({ rows: [], calls: [] });
  expect(degradationOf(parts)).toEqual({ parts: ['embedding'], rung: 'full' });
  expect(endingsOf(parts)).toMatchObject([{ type: 'done', finish: 'stop' }]);
});
