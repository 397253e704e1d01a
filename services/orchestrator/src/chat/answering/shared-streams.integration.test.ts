import { answerKeys, mitigationFlags } from '@matsuri/contract';
import { acquireLease } from '@matsuri/resilience';
import { randomUUID } from 'node:crypto';
import { eventually } from '../../../test/eventually';
import type { AnswerPart, SessionRef } from '../ports';
import { questionDigest } from './adapters/redis-answer-cache';
import type { Answering } from './open-answering';
import type { SharedEntry } from './shared-streams';
import {
  degradationOf,
  endingsOf,
  partsOf,
  setAnsweringStage,
  textOf,
  unheard,
  type AnsweringStage,
} from './test/stage';

const NEVER = new AbortController().signal;
const SLOW = { firstTokenMs: 100, tokensPerSecond: 200 };

let stage: AnsweringStage;
let other: Answering;

beforeAll(async () => {
  stage = await setAnsweringStage();
  other = stage.openTask();
  const active = [{ mitigation: 'coalesce', reason: 'test', sinceMs: 0 } as const];
  const epoch = Date.now();
  const flags = mitigationFlags.encode({ active, cacheSeconds: 60, epoch });
  await stage.redis.set(mitigationFlags.key(), flags, 'EX', 600);
  await eventually(() => [stage, other].every((it) => it.mitigations.now().epoch === epoch));
});
afterAll(async () => {
  await stage.redis.del(mitigationFlags.key());
  await other.answerer.idle();
  await other.close();
  await stage.close();
});
afterEach(() => stage.bedrock.pace('instant'));

const newQuestion = () => `店舗の営業時間を教えてください ${unheard()}`;
const generated = () => stage.bedrock.ledger().filter(({ text }) => text !== '');
const running = () => stage.gateway.figures().active;

/** Asks at a task, and can be left. */
function ask(at: Pick<Answering, 'answerer'>, on: SessionRef, text: string, messageId: string) {
  const leave = new AbortController();
  const spoken = Promise.withResolvers<undefined>();
  const read = async (): Promise<AnswerPart[]> => {
    const parts: AnswerPart[] = [];
    const question = stage.questionOf(on, text, { messageId });
    for await (const batch of at.answerer.answer(question, leave.signal)) {
      parts.push(...batch);
      if (textOf(parts) !== '') spoken.resolve(undefined);
    }
    return parts;
  };
  return { parts: read(), spoken: spoken.promise, leave: () => leave.abort() };
}

/** Five readers, at both tasks by turns. */
async function askAtBoth(text: string) {
  const asked = [];
  for (let at = 0; at < 5; at += 1) {
    const on = await stage.newSession(`user-${at}`);
    const messageId = randomUUID();
    asked.push({ messageId, ...ask(at % 2 === 0 ? stage : other, on, text, messageId) });
  }
  return asked;
}

test('a question asked at two tasks costs one call: one row carries the tokens, the others none', async () => {
  stage.bedrock.pace(SLOW);
  const before = generated().length;
  const asked = await askAtBoth(newQuestion());
  const answers = await Promise.all(asked.map(({ parts }) => parts));
  expect(generated().slice(before)).toHaveLength(1);
  for (const parts of answers) {
    expect(endingsOf(parts)).toMatchObject([{ type: 'done', finish: 'stop' }]);
    expect(textOf(parts)).toBe(generated().at(-1)?.text);
    expect(parts.some(({ type }) => type === 'sources')).toBe(
      answers[0]?.some(({ type }) => type === 'sources'),
    );
  }
  const rungs = answers.map((parts) => degradationOf(parts).rung).sort();
  expect(rungs).toEqual([...Array<string>(4).fill('coalesced'), 'full']);

  const rows = await eventually(async () => {
    const found = await stage.pool.query<{ status: string; tokens: number }>({
      text: `SELECT status, (input_tokens + output_tokens)::int AS tokens FROM usage_attempts
              WHERE request_id = ANY($1) AND status <> 'reserved' AND requested_model <> 'embed'`,
      values: [asked.map(({ messageId }) => messageId)],
    });
    return found.length === 5 && found;
  });
  expect(rows.filter(({ status }) => status === 'coalesced')).toHaveLength(4);
  expect(rows.filter(({ tokens }) => tokens > 0)).toHaveLength(1);
});

/** A slow stream whose one reader at its own task has left; somebody at another goes on reading. */
async function readElsewhere() {
  stage.bedrock.pace({ firstTokenMs: 50, tokensPerSecond: 5 });
  const text = newQuestion();
  const here = ask(stage, await stage.newSession('user-1'), text, randomUUID());
  await here.spoken;
  const elsewhere = ask(other, await stage.newSession('user-2'), text, randomUUID());
  await elsewhere.spoken;
  here.leave();
  expect(endingsOf(await here.parts)).toMatchObject([{ finish: 'cancelled' }]);
  return elsewhere;
}

test('the stream goes on for a reader at another task, and ends when that one has gone too', async () => {
  const reader = await readElsewhere();
  // Longer than a leader looks about for readers.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(running()).toBe(1);
  reader.leave();
  expect(endingsOf(await reader.parts)).toMatchObject([{ finish: 'cancelled' }]);
  await eventually(() => running() === 0, 10_000);
}, 20_000);

test('a task that must go ends what it makes for others, who are told so', async () => {
  const reader = await readElsewhere();
  stage.answerer.abandon();
  expect(endingsOf(await reader.parts)).toMatchObject([{ type: 'error', code: 'answer_lost' }]);
  await eventually(() => running() === 0);
}, 20_000);

/** As a task that was killed leaves it: a lease that runs out, and what it had said. */
async function deadLeader(text: string, ...said: SharedEntry[]): Promise<void> {
  const query = { tenantId: stage.tenant, userId: 'any', locale: 'ja', text } as const;
  const question = { tenantId: stage.tenant, questionDigest: questionDigest(query, 'simple') };
  const key = answerKeys.sharedLeader(question);
  const lease = await acquireLease({ redis: stage.redis, key, owner: 'dead', ttlMs: 1_000 });
  if (lease.kind === 'taken') throw new Error('somebody leads already');
  const frames = answerKeys.sharedFrames(question, lease.lease.epoch);
  if (said.length > 0) await stage.redis.xadd(frames, '*', 'e', JSON.stringify(said));
}

test('who follows a leader that died before it spoke asks for itself', async () => {
  const text = newQuestion();
  await deadLeader(text);
  const before = generated().length;
  const parts = await partsOf(stage.ask(await stage.newSession(), text));
  expect(endingsOf(parts)).toMatchObject([{ type: 'done', finish: 'stop' }]);
  expect(degradationOf(parts).rung).toBe('full');
  expect(generated()).toHaveLength(before + 1);
}, 20_000);

test('an answer whose leader died in the middle is lost, and no turn', async () => {
  const text = newQuestion();
  const target = { profile: 'p', region: 'r' };
  await deadLeader(
    text,
    {
      type: 'begin',
      model: 'simple',
      servedBy: { name: 'p@r', target },
      sources: [],
      degraded: [],
      rung: 'full',
    },
    { type: 'text', text: 'half of ' },
  );
  const session = await stage.newSession();
  const parts = await partsOf(stage.ask(session, text));
  expect(textOf(parts)).toBe('half of ');
  expect(endingsOf(parts)).toMatchObject([{ type: 'error', code: 'answer_lost' }]);
  await stage.answerer.idle();
  expect(await stage.sessions.lastTurns(session, 10, NEVER)).toEqual([]);
  // Asked again it is answered anew.
  const again = await partsOf(stage.ask(session, text));
  expect(endingsOf(again)).toMatchObject([{ type: 'done', finish: 'stop' }]);
}, 20_000);

test('without Redis each task asks for itself, once', async () => {
  stage.bedrock.pace(SLOW);
  const text = newQuestion();
  const sessions = [await stage.newSession('user-1'), await stage.newSession('user-2')];
  const before = generated().length;
  await stage.links.redis.down();
  const asked = [stage, other].flatMap((at) =>
    sessions.map((on) => ask(at, on, text, randomUUID())),
  );
  const answers = await Promise.all(asked.map(({ parts }) => parts));
  await stage.links.redis.up();
  await eventually(async () => (await stage.redis.ping().catch(() => '')) === 'PONG', 10_000);
  for (const parts of answers) expect(endingsOf(parts)).toMatchObject([{ type: 'done' }]);
  expect(generated()).toHaveLength(before + 2);
}, 20_000);
