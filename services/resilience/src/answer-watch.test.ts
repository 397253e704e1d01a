import { AnswerWatch } from './answer-watch';
import { VirtualClock } from './testing';

/** A watch whose turns end when the test says so. */
function setUp() {
  const clock = new VirtualClock();
  let due: (() => void)[] = [];
  const watch = new AnswerWatch({
    timeoutMs: 100,
    clock,
    afterTurn: (run) => void due.push(run),
  });
  const endTurn = (): void => {
    const now = due;
    due = [];
    for (const run of now) run();
  };
  const put = () => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const outcome = { text: 'open' };
    watch.within(promise).then(
      (value) => (outcome.text = value),
      (error: unknown) => (outcome.text = error instanceof Error ? error.name : 'odd'),
    );
    return { resolve, reject, outcome };
  };
  return { clock, endTurn, put };
}

test('an answer is passed on, and so is a failure', async () => {
  const { clock, put } = setUp();
  const [good, bad] = [put(), put()];
  good.resolve('yes');
  bad.reject(new RangeError('no'));
  await clock.advance(1_000);
  expect([good.outcome.text, bad.outcome.text]).toEqual(['yes', 'RangeError']);
  expect(clock.pendingTimers).toBe(0);
});

test('silence fails all that is open', async () => {
  const { clock, endTurn, put } = setUp();
  const questions = [put(), put()];
  await clock.advance(100);
  expect(questions.map(({ outcome }) => outcome.text)).toEqual(['open', 'open']);
  endTurn();
  await clock.advance(0);
  expect(questions.map(({ outcome }) => outcome.text)).toEqual([
    'DeadlineExceededError',
    'DeadlineExceededError',
  ]);
  expect(clock.pendingTimers).toBe(0);
});

test('an answer that was there before we looked counts, however late we were', async () => {
  const { clock, endTurn, put } = setUp();
  const { outcome, resolve } = put();
  await clock.advance(10_000);
  resolve('it was there');
  await clock.advance(0);
  endTurn();
  await clock.advance(1_000);
  expect(outcome.text).toBe('it was there');
  expect(clock.pendingTimers).toBe(0);
});

test('a peer that answers one after the other is slow, not silent', async () => {
  const { clock, endTurn, put } = setUp();
  const questions = Array.from({ length: 5 }, put);
  for (const { resolve } of questions) {
    await clock.advance(90);
    endTurn();
    resolve('answered');
    await clock.advance(0);
  }
  expect(questions.map(({ outcome }) => outcome.text)).toEqual(Array(5).fill('answered'));
});
