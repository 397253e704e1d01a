import { BreakerOpenError, DeadlineExceededError } from './errors';
import { Breaker, type BreakerOptions } from './breaker';
import type { BreakerTransition } from './core';
import { UNBOUNDED } from './request-scope';
import { settled, VirtualClock } from './testing';
import { withDeadline } from './with-deadline';

function setUp(options: Partial<BreakerOptions> = {}) {
  const clock = new VirtualClock();
  const transitions: BreakerTransition[] = [];
  const breaker = new Breaker({
    name: 'intent',
    clock,
    onTransition: (transition) => transitions.push(transition),
    ...options,
  });
  return { clock, breaker, transitions };
}

const down = () => Promise.reject(new Error('down'));
const hang = () => new Promise<never>(() => undefined);

async function trip(breaker: Breaker): Promise<void> {
  for (let n = 0; n < 20; n++) await breaker.run(down).catch(() => undefined);
  expect(breaker.view().phase).toBe('open');
}

test('6: fifty timeouts inside the breaker open it', async () => {
  const { clock, breaker } = setUp();
  const calls = Array.from({ length: 50 }, () =>
    breaker.run(() => withDeadline(UNBOUNDED, 100, hang, clock)).catch((error: unknown) => error),
  );
  await clock.advance(100);
  expect(await calls[0]).toBeInstanceOf(DeadlineExceededError);
  expect(breaker.view().phase).toBe('open');
});

test('7: callers who leave count for nothing and give their permits back', async () => {
  const { clock, breaker } = setUp();
  await trip(breaker);
  clock.jump(30_000);
  for (let n = 0; n < 10; n++) {
    const caller = new AbortController();
    const scope = { deadlineAtMs: Infinity, signal: caller.signal };
    const call = breaker.run(() => withDeadline(scope, 100, hang, clock), caller.signal);
    caller.abort();
    await expect(call).rejects.toThrow('aborted');
  }
  expect(breaker.view()).toMatchObject({ phase: 'half-open', probesInFlight: 0 });
});

test('8: open, it does not start the call and says when to come back', async () => {
  const { clock, breaker } = setUp();
  await trip(breaker);
  clock.jump(10_000);
  const call = jest.fn(down);
  await expect(breaker.run(call)).rejects.toMatchObject({
    name: 'BreakerOpenError',
    breaker: 'intent',
    retryAfterMs: 20_000,
  });
  expect(call).not.toHaveBeenCalled();
});

test('12: with three probes hanging, the next caller is rejected without waiting', async () => {
  const { clock, breaker } = setUp();
  await trip(breaker);
  clock.jump(30_000);
  for (let n = 0; n < 3; n++) void breaker.run(hang);
  await expect(breaker.run(hang)).rejects.toBeInstanceOf(BreakerOpenError);
});

test('5: errors classified as ignored never open it', async () => {
  const { breaker } = setUp({ classify: () => 'ignored' });
  for (let n = 0; n < 100; n++) await expect(breaker.run(down)).rejects.toThrow('down');
  expect(breaker.view()).toMatchObject({ phase: 'closed', calls: 0 });
});

test('20: a synchronous throw is a failure', async () => {
  const { breaker } = setUp();
  const call = (): Promise<void> => {
    throw new Error('at once');
  };
  await expect(breaker.run(call)).rejects.toThrow('at once');
  expect(breaker.view().failures).toBe(1);
});

test('21: no rejection goes unhandled', async () => {
  const unhandled = jest.fn();
  process.on('unhandledRejection', unhandled);
  const { clock, breaker } = setUp();
  await trip(breaker);
  await expect(breaker.run(down)).rejects.toThrow();
  clock.jump(30_000);
  await expect(breaker.run(down)).rejects.toThrow('down');
  await settled();
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});

test('22: a listener hears every transition once, in order, even if it calls the breaker', async () => {
  const heard: string[] = [];
  const clock = new VirtualClock();
  const breaker: Breaker = new Breaker({
    name: 'intent',
    clock,
    onTransition: ({ from, to }) => {
      heard.push(`${from}→${to}`);
      if (to === 'open') breaker.isolate().release();
    },
  });
  for (let n = 0; n < 20; n++) await breaker.run(down).catch(() => undefined);
  expect(heard).toEqual(['closed→open', 'open→isolated', 'isolated→closed']);
});

test('a permit is answered once', async () => {
  const { clock, breaker } = setUp();
  await trip(breaker);
  clock.jump(30_000);
  const permit = breaker.acquire();
  permit.succeed();
  permit.succeed();
  permit.succeed();
  permit.fail(new Error('late'));
  permit.release();
  expect(breaker.view()).toMatchObject({ phase: 'half-open', probesInFlight: 0 });
});

test('an isolation handle released twice is released once', async () => {
  const { breaker } = setUp();
  const [first, second] = [breaker.isolate(), breaker.isolate()];
  first.release();
  first.release();
  await expect(breaker.run(hang)).rejects.toBeInstanceOf(BreakerOpenError);
  second.release();
  expect(breaker.view().phase).toBe('closed');
});

test('24: a snapshot carries an open breaker over a restart', async () => {
  const { breaker, clock } = setUp();
  await trip(breaker);
  clock.jump(5_000);
  const { breaker: next } = setUp({ snapshot: breaker.snapshot() });
  await expect(next.run(hang)).rejects.toMatchObject({ retryAfterMs: 25_000 });
});
