import { getEventListeners } from 'node:events';
import { endedBy } from './abort';
import { CallerAbortedError, DeadlineExceededError } from './errors';
import { RequestScope, UNBOUNDED, type Scope } from './request-scope';
import { settled, VirtualClock } from './testing';
import { withDeadline } from './with-deadline';

const hang = () => new Promise<never>(() => undefined);

function setUp(deadlineAtMs = 10_000) {
  const clock = new VirtualClock();
  const caller = new AbortController();
  const scope: Scope = { deadlineAtMs, signal: caller.signal };
  const listeners = () => getEventListeners(caller.signal, 'abort').length;
  return { clock, caller, scope, listeners };
}

/** Keeps the outcome, so that it may be looked at after time has passed. */
function outcomeOf<T>(promise: Promise<T>): Promise<T | Error> {
  return promise.catch((error: unknown) => (error instanceof Error ? error : new Error('?')));
}

test('a step that answers leaves neither timer nor listener', async () => {
  const { clock, scope, listeners } = setUp();
  await expect(withDeadline(scope, 100, () => Promise.resolve('yes'), clock)).resolves.toBe('yes');
  expect(clock.pendingTimers).toBe(0);
  expect(listeners()).toBe(0);
});

test('a step that hangs ends at its cap, its signal aborted, nothing left', async () => {
  const { clock, scope, listeners } = setUp();
  let signal: AbortSignal | undefined;
  const outcome = outcomeOf(withDeadline(scope, 100, (given) => ((signal = given), hang()), clock));
  await clock.advance(99);
  expect(signal?.aborted).toBe(false);
  await clock.advance(1);
  expect(await outcome).toMatchObject({ name: 'DeadlineExceededError', limitedBy: 'cap' });
  expect(signal?.reason).toBeInstanceOf(DeadlineExceededError);
  expect(clock.pendingTimers + listeners()).toBe(0);
});

test('the request’s deadline ends a step before its cap does, and says so', async () => {
  const { clock, scope } = setUp(50);
  const outcome = outcomeOf(withDeadline(scope, 100, hang, clock));
  await clock.advance(50);
  expect(await outcome).toMatchObject({ limitedBy: 'request', afterMs: 50 });
});

test('the caller’s abort is told from a timeout', async () => {
  const { clock, scope, caller, listeners } = setUp();
  const left = new Error('client left');
  const outcome = outcomeOf(withDeadline(scope, 100, hang, clock));
  caller.abort(left);
  expect(await outcome).toBe(left);
  expect(endedBy(await outcome, scope.signal)).toBe('caller');
  expect(endedBy(new DeadlineExceededError('cap', 1), scope.signal)).toBe('timeout');
  expect(endedBy(new Error('refused'), UNBOUNDED.signal)).toBe('call');
  expect(clock.pendingTimers + listeners()).toBe(0);
});

test('a reason that is no error is wrapped', async () => {
  const { clock, scope, caller } = setUp();
  caller.abort('bye');
  const outcome = await outcomeOf(withDeadline(scope, 100, hang, clock));
  expect(outcome).toBeInstanceOf(CallerAbortedError);
  expect(outcome).toMatchObject({ cause: 'bye' });
});

test.each([
  ['time is up', 0, false],
  ['the caller has gone', 10_000, true],
])('nothing is started when %s', async (_, deadlineAtMs, aborted) => {
  const { clock, scope, caller } = setUp(deadlineAtMs);
  if (aborted) caller.abort();
  const run = jest.fn(hang);
  await expect(withDeadline(scope, 100, run, clock)).rejects.toThrow();
  expect(run).not.toHaveBeenCalled();
});

test('a synchronous throw is an ordinary failure', async () => {
  const { clock, scope } = setUp();
  const run = (): Promise<void> => {
    throw new Error('at once');
  };
  await expect(withDeadline(scope, 100, run, clock)).rejects.toThrow('at once');
});

test('what a timed-out step answers later is dropped without an unhandled rejection', async () => {
  const unhandled = jest.fn();
  process.on('unhandledRejection', unhandled);
  const { clock, scope } = setUp();
  const late = Promise.withResolvers<never>();
  const outcome = outcomeOf(withDeadline(scope, 100, () => late.promise, clock));
  await clock.advance(100);
  await outcome;
  late.reject(new Error('too late'));
  await settled();
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});

test('a nested step sees what its parent has left', async () => {
  const { clock, scope } = setUp();
  const outcome = outcomeOf(
    withDeadline(scope, 100, (_, child) => withDeadline(child, 5_000, hang, clock), clock),
  );
  await clock.advance(100);
  expect(await outcome).toBeInstanceOf(DeadlineExceededError);
  expect(clock.pendingTimers).toBe(0);
});

test('ten thousand steps on one long-lived signal leave nothing on it, and warn of nothing', async () => {
  const warned = jest.fn();
  process.on('warning', warned);
  const { clock, scope, listeners } = setUp(Infinity);
  for (let n = 0; n < 10; n++) {
    await Promise.all(
      Array.from({ length: 1_000 }, () => withDeadline(scope, 100, () => Promise.resolve(), clock)),
    );
  }
  await settled();
  process.off('warning', warned);
  expect(listeners()).toBe(0);
  expect(warned).not.toHaveBeenCalled();
});

describe('a request', () => {
  test('aborts everything at its deadline', async () => {
    const clock = new VirtualClock();
    const request = new RequestScope({ budgetMs: 3_000, clock });
    await clock.advance(3_000);
    expect(request.signal.reason).toMatchObject({ limitedBy: 'request', afterMs: 3_000 });
  });

  test('is no longer ended by time once its first content is out, but still by its caller', async () => {
    const clock = new VirtualClock();
    const caller = new AbortController();
    const request = new RequestScope({ budgetMs: 3_000, clock, caller: caller.signal });
    request.liftDeadline();
    await clock.advance(3_600_000);
    expect(request.signal.aborted).toBe(false);
    expect(request.deadlineAtMs).toBe(Infinity);
    caller.abort();
    expect(request.signal.aborted).toBe(true);
  });

  test('that is closed leaves neither timer nor listener', () => {
    const clock = new VirtualClock();
    const caller = new AbortController();
    const request = new RequestScope({ budgetMs: 3_000, clock, caller: caller.signal });
    request.close();
    expect(clock.pendingTimers).toBe(0);
    expect(getEventListeners(caller.signal, 'abort')).toHaveLength(0);
  });

  test('of a caller who has already gone is aborted from the start', () => {
    const clock = new VirtualClock();
    const request = new RequestScope({ budgetMs: 1, clock, caller: AbortSignal.abort() });
    expect(request.signal.aborted).toBe(true);
    expect(clock.pendingTimers).toBe(0);
  });
});
