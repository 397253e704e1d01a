import { sessionKeys } from '@matsuri/contract';
import { requireRedis, startRedis, type RunningRedis } from '@matsuri/local';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../../../test/eventually';
import type { AnswerPart, SessionRef } from '../ports';
import { placeFrame } from './core/placed-frame';
import type { Following } from './following';
import {
  asked,
  Listener,
  newSession,
  startAnswersTask,
  type AnswersTask,
} from './testing/answers-task';

let server: RunningRedis;
const open: AnswersTask[] = [];

beforeAll(async () => {
  server = requireRedis(await startRedis());
});
afterAll(() => server.close());
afterEach(async () => {
  for (const it of open.splice(0)) await it.close();
});

async function task(frameRetentionSeconds?: number): Promise<AnswersTask> {
  const started = await startAnswersTask(server.url, frameRetentionSeconds);
  open.push(started);
  return started;
}

const delta = (text: string): AnswerPart => ({ type: 'delta', text });

function following(outcome: { readonly kind: string }): Following {
  expect(outcome).toMatchObject({ kind: 'following' });
  return outcome as Following;
}

test('an answer that takes longer than frames are kept is known elsewhere all along', async () => {
  const [first, second] = [await task(2), await task(2)];
  const session = newSession();
  await first.answers.ask(asked(session, 'm1'), new Listener());
  const answer = await first.answerer.asked();
  answer.say(delta('one '));
  // Not for an event: nothing must happen to what is known for longer than it is kept.
  await pause(2_600);
  const listener = new Listener();
  const again = following(await second.answers.ask(asked(session, 'm1'), listener));
  const other = await second.answers.ask(asked(session, 'm2'), new Listener());
  expect(other).toMatchObject({ kind: 'refused', code: 'busy' });
  answer.say(delta('two'));
  answer.finish();
  await again.over;
  expect(listener.text).toBe('one two');
});

test('a Redis that forgot everything is told again, from the start of what is being made', async () => {
  const [first, second] = [await task(), await task()];
  const session = newSession();
  const frames = sessionKeys.frames(session);
  await first.answers.ask(asked(session, 'm1'), new Listener());
  const answer = await first.answerer.asked();
  answer.say(delta('one '));
  await eventually(async () => (await first.redis.xlen(frames)) > 0);
  await first.redis.flushall();
  answer.say(delta('two '));
  await eventually(() => first.frameLog.newest(session));
  const listener = new Listener();
  const again = following(await second.answers.ask(asked(session, 'm1'), listener));
  answer.say(delta('three'));
  answer.finish();
  await again.over;
  expect(listener.text).toBe('one two three');
  expect(second.answerer.answers).toHaveLength(0);
  expect(await first.redis.pttl(frames)).toBeGreaterThan(0);
});

test('a stream that is begun anew midway does not stay for ever', async () => {
  const first = await task();
  const session = newSession();
  const frames = sessionKeys.frames(session);
  await first.answers.ask(asked(session, 'm1'), new Listener());
  const answer = await first.answerer.asked();
  await eventually(async () => (await first.redis.xlen(frames)) > 0);
  await first.redis.del(frames);
  answer.say(delta('one '));
  await eventually(async () => (await first.redis.pttl(frames)) > 0);
});

test('what was begun while Redis was away is gone on with elsewhere when it is back', async () => {
  const [first, second] = [await task(), await task()];
  const session = newSession();
  await first.cut();
  const here = new Listener();
  await first.answers.ask(asked(session, 'm1'), here);
  const answer = await first.answerer.asked();
  answer.say(delta('one '));
  await eventually(() => here.text !== '');
  await first.mend();
  await eventually(() => second.frameLog.newest(session));
  const there = new Listener();
  const cursor = { epoch: here.heard[0]?.epoch ?? 0, seq: 0 };
  const resumed = following(await second.answers.resume(session, cursor, there));
  answer.say(delta('two'));
  answer.finish();
  await resumed.over;
  expect(there.text).toBe('one two');
});

test('an answer whose place was taken while its task was away stops when the task hears of it', async () => {
  const [first, second] = [await task(), await task()];
  const session = newSession();
  await first.answers.ask(asked(session, 'm1'), new Listener());
  const old = await first.answerer.asked();
  await first.cut();
  await second.redis.del(sessionKeys.task(first.frameLog.taskId));
  await second.answers.ask(asked(session, 'm1'), new Listener());
  await second.answerer.asked();
  await first.mend();
  await eventually(() => old.signal.aborted);
});

test('what was told is taken also where some of it does not come in time', async () => {
  const { frameLog, redis } = await task();
  const sessions = [newSession(), newSession()];
  for (const session of sessions) await frameLog.attend(session, { cancel: session.sessionId });
  jest.spyOn(redis, 'getdel').mockReturnValueOnce(new Promise<never>(() => undefined));
  const taken = await frameLog.takeAttentions(sessions);
  expect(taken).toEqual([undefined, { cancel: sessions[1]?.sessionId }]);
});

test('one stream that cannot be looked at does not keep the others from being written', async () => {
  const { frameLog, redis } = await task();
  const [stuck, sound] = [newSession(), newSession()];
  const frames = [placeFrame({ epoch: 7, seq: 0 }, { type: 'ping' })];
  const write = (session: SessionRef) => ({ session, epoch: 7, frames, ended: false });
  await frameLog.write([write(stuck)]);
  jest.spyOn(redis, 'xrevrange').mockRejectedValueOnce(new Error('not now'));
  const outcomes = await frameLog.write([write(stuck), write(sound)]);
  expect(outcomes).toEqual([{ kind: 'failed' }, { kind: 'kept', seq: 0 }]);
});

test('a Redis that hangs is not sent more and more of the same', async () => {
  const { frameLog, redis } = await task();
  const frames = [placeFrame({ epoch: 7, seq: 0 }, { type: 'ping' })];
  const writes = [{ session: newSession(), epoch: 7, frames, ended: false }];
  const hung = Promise.withResolvers<null>();
  const pipeline = redis.pipeline();
  jest.spyOn(pipeline, 'exec').mockReturnValueOnce(hung.promise);
  const sent = jest.spyOn(redis, 'pipeline').mockReturnValueOnce(pipeline);
  expect(await frameLog.write(writes)).toEqual([{ kind: 'failed' }]);
  expect(await frameLog.write(writes)).toEqual([{ kind: 'failed' }]);
  expect(sent).toHaveBeenCalledTimes(1);
  hung.resolve(null);
  await hung.promise;
  expect(await frameLog.write(writes)).toEqual([{ kind: 'kept', seq: 0 }]);
});
