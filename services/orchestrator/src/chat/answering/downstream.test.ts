import { configure, type PlatformOverrides } from '@matsuri/contract';
import { BreakerOpenError, PoolExhaustedError, sleep, type Scope } from '@matsuri/resilience';
import { VirtualClock } from '@matsuri/resilience/testing';
import { Downstream, type Room } from './downstream';

const CAP_MS = 5_000;

function setUp(overrides: PlatformOverrides = {}, room: Partial<Room> = {}, capMs = CAP_MS) {
  const clock = new VirtualClock(1_000);
  const configuration = configure(overrides);
  const pressure: string[] = [];
  const downstream = new Downstream({
    name: 'thing',
    configuration,
    room: { maxConcurrent: 100, maxWaiting: 200, acquireTimeoutMs: 1_000, ...room },
    capMs,
    isFault: (error) => !(error instanceof TypeError),
    onPressure: (change) => pressure.push(change),
    clock,
  });
  const hang = (signal: AbortSignal): Promise<never> =>
    sleep(Infinity, clock, signal).then(() => Promise.reject(new Error('never')));
  return { clock, downstream, hang, pressure };
}

const scopeOf = (signal: AbortSignal = new AbortController().signal): Scope => ({
  deadlineAtMs: Infinity,
  signal,
});
const NEVER = new AbortController().signal;
const settled = (promise: Promise<unknown>) =>
  promise.then(
    (value) => ({ value, error: undefined }),
    (error: unknown) => ({ value: undefined, error }),
  );

test('a call that hangs is cut at the cap, and twenty of them open the breaker', async () => {
  const { clock, downstream, hang } = setUp();
  const hanging = Array.from({ length: 20 }, () => settled(downstream.run(scopeOf(), hang)));
  await clock.advance(CAP_MS);
  for (const { error } of await Promise.all(hanging)) expect(String(error)).toContain('5000 ms');
  expect(downstream.open).toBe(true);
  const next = await settled(downstream.run(scopeOf(), hang));
  expect(next.error).toBeInstanceOf(BreakerOpenError);
});

test('callers who leave do not speak against the downstream', async () => {
  const { downstream, hang } = setUp();
  for (let calls = 0; calls < 50; calls += 1) {
    const leave = new AbortController();
    const called = settled(downstream.run(scopeOf(leave.signal), hang));
    leave.abort(new Error('left'));
    expect(String((await called).error)).toContain('left');
  }
  expect(downstream.open).toBe(false);
  expect(downstream.pool().inUse).toBe(0);
});

test('what fails once is tried again, what was asked wrongly is not', async () => {
  const { clock, downstream } = setUp();
  let calls = 0;
  const flaky = settled(
    downstream.run(scopeOf(), () => {
      calls += 1;
      return calls === 1 ? Promise.reject(new Error('once')) : Promise.resolve('ok');
    }),
  );
  await clock.advance(1_000);
  expect((await flaky).value).toBe('ok');
  calls = 0;
  const wrong = await settled(
    downstream.run(scopeOf(), () => {
      calls += 1;
      return Promise.reject(new TypeError('wrong'));
    }),
  );
  expect(wrong.error).toBeInstanceOf(TypeError);
  expect(calls).toBe(1);
});

test('a full pool makes callers wait, then refuses them, and is no fault of the downstream', async () => {
  const { clock, downstream, hang, pressure } = setUp(
    {},
    { maxConcurrent: 2, maxWaiting: 1, acquireTimeoutMs: 100 },
  );
  const leave = new AbortController();
  const holding = [1, 2].map(() => settled(downstream.run(scopeOf(leave.signal), hang)));
  const waiting = settled(downstream.run(scopeOf(), hang));
  await Promise.resolve();
  const refused = await settled(downstream.run(scopeOf(), hang));
  expect(refused.error).toBeInstanceOf(PoolExhaustedError);
  await clock.advance(100);
  expect((await waiting).error).toBeInstanceOf(PoolExhaustedError);
  expect(downstream.pool()).toMatchObject({ acquires: 4, acquireTimeouts: 1, rejections: 1 });
  expect(downstream.takePeakUtilisation()).toBe(1);
  expect(pressure).toEqual(['pressure']);
  leave.abort(new Error('left'));
  await Promise.all(holding);
  expect(pressure).toEqual(['pressure', 'relieved']);
  expect(downstream.takePeakUtilisation()).toBe(0);
  expect(downstream.open).toBe(false);
});

test.each([
  ['its cap', 500, Infinity],
  ['what the request has left', CAP_MS, 500],
])('who waits for a slot is told so before %s is over', async (_, capMs, leftMs) => {
  const { clock, downstream, hang } = setUp({}, { maxConcurrent: 1 }, capMs);
  const leave = new AbortController();
  // Its own deadline cuts whoever holds the slot, but what it began goes on.
  const holding = settled(downstream.run(scopeOf(leave.signal), () => hang(NEVER)));
  const scope = { ...scopeOf(), deadlineAtMs: clock.nowMs() + leftMs };
  const starved = Array.from({ length: 30 }, () => settled(downstream.run(scope, hang)));
  await clock.advance(500);
  for (const { error } of await Promise.all(starved)) {
    expect(error).toBeInstanceOf(PoolExhaustedError);
  }
  expect(downstream.pool()).toMatchObject({ acquires: 31, acquireTimeouts: 30 });
  expect(downstream.open).toBe(false);
  leave.abort(new Error('left'));
  await holding;
});
