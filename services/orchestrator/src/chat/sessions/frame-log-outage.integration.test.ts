import { randomUUID } from 'node:crypto';
import { requireRedis, startRedis, type RunningRedis } from '@matsuri/local';
import type { AnswerPart, SessionRef } from '../ports';
import { AnswerRun } from './answer-run';
import { FrameWriter } from './frame-writer';
import { asked, Listener, newSession, startAnswersTask } from './testing/answers-task';
import { Upkeep } from './upkeep';

let server: RunningRedis;
const open: { close(): unknown }[] = [];

beforeAll(async () => {
  server = requireRedis(await startRedis());
});
afterAll(() => server.close());
afterEach(async () => {
  for (const it of open.splice(0).reverse()) await it.close();
});

async function task() {
  const started = await startAnswersTask(server.url);
  open.push(started);
  return started;
}

const delta = (text: string): AnswerPart => ({ type: 'delta', text });
const DONE: AnswerPart = { type: 'done', finish: 'stop', intent: 'faq' };

/** A task whose writer gives up as soon as an answer is over and cannot be kept. */
async function impatientTask() {
  const { frameLog, cut, mend } = await task();
  const writer = new FrameWriter(frameLog, -1);
  const runs = new Map<string, AnswerRun>();
  const settings = { detachedSeconds: 15, frameRetentionSeconds: 300 };
  const upkeep = new Upkeep({ runs, frameLog, writer, settings });
  open.push(upkeep, { close: () => writer.stop() });
  const begin = async (session: SessionRef, clientMessageId: string): Promise<AnswerRun> => {
    const claim = { session, clientMessageId, messageId: randomUUID(), leastEpoch: Date.now() };
    const { epoch, messageId } = await frameLog.claim(claim);
    const run = new AnswerRun({ session, clientMessageId, messageId, epoch });
    runs.set(session.sessionId, run);
    return run;
  };
  const say = async (run: AnswerRun, ...parts: AnswerPart[]): Promise<void> => {
    run.append(parts, performance.now());
    writer.note(run);
    await writer.idle();
  };
  return { cut, mend, begin, say, upkeep, writer };
}

test('an answer that ended while Redis was away for long ends elsewhere when it is back', async () => {
  const first = await impatientTask();
  const second = await task();
  const session = newSession();
  const run = await first.begin(session, 'm1');
  await first.say(run, delta('one '));
  await first.cut();
  await first.say(run, delta('two'), DONE);
  expect(run.isKept).toBe(false);
  await first.mend();
  await first.upkeep.look();
  await first.writer.idle();

  const listener = new Listener();
  const cursor = { epoch: run.identity.epoch, seq: 1 };
  const resumed = await second.answers.resume(session, cursor, listener);
  expect(resumed).toMatchObject({ kind: 'following' });
  if (resumed.kind === 'following') await resumed.over;
  expect(listener.frames.map(({ type }) => type)).toEqual(['delta', 'done']);
  const next = await second.answers.ask(asked(session, 'm2'), new Listener());
  expect(next).toMatchObject({ kind: 'following' });
});
