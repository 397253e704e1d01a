import { StreamedAnswer } from './streamed-answer';
import { ANSWER_FRAMES, event } from './test/frames';

const REASON = new Error('the client has left');
const FAULT = new Error('the connection broke');
const START = event('messageStart', { role: 'assistant' });

function answering() {
  const controller = new AbortController();
  const answer = new StreamedAnswer(controller.signal);
  answer.accept();
  return { answer, controller };
}

test('what arrives in one turn is one batch, for a reader who waits', async () => {
  const { answer } = answering();
  const next = answer.next();
  for (const frame of ANSWER_FRAMES) answer.data(frame);
  answer.end();
  expect((await next).value).toHaveLength(ANSWER_FRAMES.length);
  expect(await answer.next()).toEqual({ done: true, value: undefined });
});

test('what arrived before a fault is read before the fault, which is told once', async () => {
  const { answer } = answering();
  answer.data(START);
  answer.fail(FAULT);
  expect(await answer.next()).toEqual({ done: false, value: [{ type: 'start' }] });
  await expect(answer.next()).rejects.toBe(FAULT);
  expect(await answer.next()).toEqual({ done: true, value: undefined });
});

test('what arrived before an abort is not read any more', async () => {
  const { answer, controller } = answering();
  answer.data(START);
  controller.abort(REASON);
  answer.fail(REASON);
  await expect(answer.next()).rejects.toBe(REASON);
});

test('a reader who waits is told of a fault', async () => {
  const { answer } = answering();
  const next = answer.next();
  answer.fail(FAULT);
  await expect(next).rejects.toBe(FAULT);
});

test('whoever has left gets nothing more', async () => {
  const { answer } = answering();
  answer.data(START);
  await answer.return();
  expect(await answer.next()).toEqual({ done: true, value: undefined });
});
