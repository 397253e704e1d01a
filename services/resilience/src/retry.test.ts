import { retry, RetryBudget, type RetryOptions } from './retry';
import type { Scope } from './request-scope';
import { VirtualClock } from './testing';

function setUp(options: Partial<RetryOptions> = {}) {
  const clock = new VirtualClock();
  const budget = new RetryBudget();
  const gaveUp: string[] = [];
  const all: RetryOptions = {
    classify: () => ({ kind: 'retry' }),
    budget,
    clock,
    random: () => 0.5,
    settings: { maxAttempts: 3, baseMs: 100, capMs: 5_000 },
    onGiveUp: (_, attempt, reason) => gaveUp.push(`${reason} after ${attempt}`),
    ...options,
  };
  return { clock, budget, gaveUp, options: all };
}

/** Fails so many times, then answers with the number of its attempt. */
const failing = (times: number) => (attempt: number) =>
  attempt <= times ? Promise.reject(new Error(`attempt ${attempt}`)) : Promise.resolve(attempt);

const idle = { live: 0, retrying: 0 };

test('goes on until an attempt succeeds, with jittered waits', async () => {
  const waits: number[] = [];
  const { clock, budget, options } = setUp({ onRetry: (_, __, delayMs) => waits.push(delayMs) });
  const outcome = retry(failing(2), options);
  await clock.advance(10_000);
  expect(await outcome).toBe(3);
  expect(waits).toEqual([50, 100]);
  expect(budget.view()).toMatchObject(idle);
});

test('throws the last error as it was', async () => {
  const { clock, gaveUp, budget, options } = setUp();
  const outcome = retry(failing(9), options).catch((error: unknown) => error);
  await clock.advance(10_000);
  expect(await outcome).toEqual(new Error('attempt 3'));
  expect(gaveUp).toEqual(['attempts after 3']);
  expect(budget.view()).toMatchObject(idle);
});

test('does not start a wait that would outlast the deadline', async () => {
  const { clock, gaveUp, options } = setUp();
  const scope: Scope = { deadlineAtMs: 40, signal: new AbortController().signal };
  await expect(retry(failing(9), options, scope)).rejects.toThrow('attempt 1');
  expect(gaveUp).toEqual(['deadline after 1']);
  expect(clock.pendingTimers).toBe(0);
});

test('stops waiting when the caller leaves, and gives its retry back', async () => {
  const { clock, budget, options } = setUp();
  const caller = new AbortController();
  const scope: Scope = { deadlineAtMs: Infinity, signal: caller.signal };
  const outcome = retry(failing(9), options, scope).catch((error: unknown) => error);
  await clock.advance(1);
  expect(budget.view().retrying).toBe(1);
  caller.abort(new Error('left'));
  expect(await outcome).toEqual(new Error('left'));
  expect(budget.view()).toMatchObject(idle);
  expect(clock.pendingTimers).toBe(0);
});

test('a thousand requests to a dead downstream make at most 1.2 times as many attempts', async () => {
  const { clock, budget, options } = setUp();
  let attempts = 0;
  const call = (): Promise<never> => {
    attempts++;
    return Promise.reject(new Error('down'));
  };
  for (let wave = 0; wave < 10; wave++) {
    const requests = Array.from({ length: 100 }, () => retry(call, options).catch(() => undefined));
    await clock.advance(10_000);
    await Promise.all(requests);
  }
  expect(attempts).toBeGreaterThan(1_100);
  expect(attempts).toBeLessThanOrEqual(1_203);
  expect(budget.view()).toMatchObject(idle);
});
