import { compareFrames, sessionKeys } from '@matsuri/contract';
import { requireRedis, startRedis, type RunningRedis } from '@matsuri/local';
import { eventually } from '../../../test/eventually';
import type { AnswerPart, SessionRef } from '../ports';
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

async function task(): Promise<AnswersTask> {
  const started = await startAnswersTask(server.url);
  open.push(started);
  return started;
}

const delta = (text: string): AnswerPart => ({ type: 'delta', text });
const BUSY = { kind: 'refused', code: 'busy' };

function following(outcome: { readonly kind: string }): Following {
  expect(outcome).toMatchObject({ kind: 'following' });
  return outcome as Following;
}

const entries = ({ redis }: AnswersTask, session: SessionRef) =>
  redis.xlen(sessionKeys.frames(session));

/** Asks at a task, and waits until the others can read the first words. */
async function beginAt(maker: AnswersTask, session: SessionRef, clientMessageId: string) {
  const nth = maker.answerer.answers.length;
  const listener = new Listener();
  following(await maker.answers.ask(asked(session, clientMessageId), listener));
  const before = await entries(maker, session);
  const answer = await maker.answerer.asked(nth);
  answer.say(delta('one '));
  await eventually(async () => (await entries(maker, session)) > before && listener.text !== '');
  return { answer, listener, epoch: listener.heard[0]?.epoch ?? 0 };
}

test('a resend is answered though its answer and a later one were both lost with their tasks', async () => {
  const [first, second, third] = [await task(), await task(), await task()];
  const session = newSession();
  await beginAt(first, session, 'm1');
  await first.close();
  await beginAt(second, session, 'm2');
  await second.close();
  following(await third.answers.ask(asked(session, 'm1'), new Listener()));
  expect(await third.answerer.asked()).toBeDefined();
});

test('an answer that its task left behind for the next is not waited for', async () => {
  const [first, second] = [await task(), await task()];
  const session = newSession();
  const left = await beginAt(first, session, 'm1');
  const claim = { session, clientMessageId: 'm2', messageId: 'id-2', leastEpoch: Date.now() };
  const lostEpochs = [left.epoch];
  const next = await first.frameLog.claim({ ...claim, lostEpochs });
  expect(await second.answers.ask(asked(session, 'm1'), new Listener())).toMatchObject(BUSY);
  await first.redis.hset(sessionKeys.epoch(session), 'ended', next.epoch);
  following(await second.answers.ask(asked(session, 'm1'), new Listener()));
  expect(await second.answerer.asked()).toBeDefined();
});

test('who reads an answer whose place another has taken is told that it is lost', async () => {
  const [first, second] = [await task(), await task()];
  const session = newSession();
  const { epoch } = await beginAt(first, session, 'm1');
  const listener = new Listener();
  const cursor = { epoch, seq: 0 };
  const read = following(await second.answers.resume(session, cursor, listener));
  const claim = { session, clientMessageId: 'm1', messageId: 'id-1', leastEpoch: Date.now() };
  await second.frameLog.claim({ ...claim, lostEpochs: [epoch] });
  await read.over;
  expect(listener.frames.at(-1)).toMatchObject({ type: 'error', code: 'answer_lost' });
});

test('an answer with a hole in it is made anew for who asks for it, not lost again and again', async () => {
  const [first, second] = [await task(), await task()];
  const session = newSession();
  const frames = sessionKeys.frames(session);
  const { answer, epoch } = await beginAt(first, session, 'm1');
  const [head] = await first.redis.xrange(frames, '-', '+');
  answer.say(delta('two '));
  const before = await entries(first, session);
  await eventually(async () => (await entries(first, session)) > before);
  await first.redis.xdel(frames, head?.[0] ?? '');
  const listener = new Listener();
  following(await second.answers.ask(asked(session, 'm1'), listener));
  const anew = await second.answerer.asked();
  anew.finish();
  await eventually(() => listener.heard.at(-1)?.terminal);
  expect(listener.heard[0]?.epoch).toBeGreaterThan(epoch);
});

test('who has what comes before the hole goes on after it', async () => {
  const [first, second] = [await task(), await task()];
  const session = newSession();
  const frames = sessionKeys.frames(session);
  const { answer, listener, epoch } = await beginAt(first, session, 'm1');
  const seen = listener.heard.at(-1)?.seq ?? 0;
  await first.redis.xtrim(frames, 'MAXLEN', 0);
  answer.say(delta('two'));
  answer.finish();
  await eventually(async () => (await entries(first, session)) > 0);
  const rest = new Listener();
  const again = await second.answers.ask(asked(session, 'm1'), rest, { epoch, seq: seen });
  await following(again).over;
  expect(rest.text).toBe('two');
});

test('an answer that ends, and its task with it, while somebody comes to it is read to its end', async () => {
  const [first, second] = [await task(), await task()];
  const session = newSession();
  const { answer, epoch } = await beginAt(first, session, 'm1');
  const newest = second.frameLog.newest.bind(second.frameLog);
  jest.spyOn(second.frameLog, 'newest').mockImplementationOnce(async (of) => {
    const found = await newest(of);
    answer.finish();
    await first.answers.idle();
    await first.close();
    return found;
  });
  const listener = new Listener();
  const resumed = await second.answers.resume(session, { epoch, seq: 1 }, listener);
  await following(resumed).over;
  expect(listener.frames).toMatchObject([{ type: 'done', finish: 'stop' }]);
});

test('a loss has a place after all that was heard, which no answer is ever given', async () => {
  const [first, second] = [await task(), await task()];
  const session = newSession();
  const { epoch, listener: here } = await beginAt(first, session, 'm1');
  const listener = new Listener();
  const cursor = { epoch, seq: here.heard.at(-1)?.seq ?? 0 };
  const read = following(await second.answers.resume(session, cursor, listener));
  await first.close();
  await read.over;
  expect(listener.frames).toMatchObject([{ type: 'error', code: 'answer_lost' }]);
  const loss = listener.heard[0] ?? cursor;
  expect(compareFrames(loss, cursor)).toBeGreaterThan(0);
  expect(loss.epoch).toBeGreaterThan(epoch);
  expect(await second.answers.resume(session, loss, new Listener())).toMatchObject({
    kind: 'lost',
  });
  // Also where the clock of the task that claims next is behind.
  const claim = { session, clientMessageId: 'm1', messageId: 'id-1', leastEpoch: 1 };
  const anew = await second.frameLog.claim({ ...claim, lostEpochs: [epoch] });
  expect(anew.epoch).toBeGreaterThan(loss.epoch);
});

test('who was told of a loss is answered anew also when the task that seemed gone is back', async () => {
  const [first, second] = [await task(), await task()];
  const session = newSession();
  const { epoch, answer } = await beginAt(first, session, 'm1');
  const loss = { epoch: epoch + 1, seq: 0 };
  const listener = new Listener();
  following(await second.answers.ask(asked(session, 'm1'), listener, loss));
  (await second.answerer.asked()).finish();
  await eventually(() => listener.heard.at(-1)?.terminal);
  expect(listener.heard[0]?.epoch).toBeGreaterThan(loss.epoch);
  answer.say(delta('from the grave'));
  await eventually(() => answer.signal.aborted);
});

test('a message that a task claims when it must go already is answered anew elsewhere at once', async () => {
  const [first, second] = [await task(), await task()];
  const session = newSession();
  const claim = first.frameLog.claim.bind(first.frameLog);
  const gate = Promise.withResolvers<undefined>();
  jest.spyOn(first.frameLog, 'claim').mockImplementationOnce(async (it) => {
    const claimed = await claim(it);
    await gate.promise;
    return claimed;
  });
  const refused = first.answers.ask(asked(session, 'm1'), new Listener());
  await eventually(() => second.frameLog.newest(session));
  const gone = first.answers.abandon();
  gate.resolve(undefined);
  expect(await refused).toMatchObject({ kind: 'refused', code: 'overloaded' });
  await gone;
  following(await second.answers.ask(asked(session, 'm1'), new Listener()));
  expect(await second.answerer.asked()).toBeDefined();
});
