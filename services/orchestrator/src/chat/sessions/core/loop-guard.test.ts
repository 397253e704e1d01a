import { isOverwhelmed, newLoopGuard, noteDelay } from './loop-guard';

const LIMIT_MS = 100;

function after(delays: readonly number[], guard = newLoopGuard()) {
  for (const delayMs of delays) noteDelay(guard, delayMs, 20, LIMIT_MS);
  return guard;
}

const times = (count: number, delayMs: number) => Array.from({ length: count }, () => delayMs);

test('a punctual loop takes on all there is', () => {
  expect(after(times(1_000, 2)).share).toBe(1);
});

test('one long pause is forgiven', () => {
  expect(after([...times(50, 1), 300, ...times(5, 1)]).share).toBe(1);
});

test('a loop that stays late takes on less and less, never nothing', () => {
  const guard = after(times(15, 180));
  expect(guard.share).toBeLessThan(0.5);
  expect(after(times(500, 180), guard).share).toBe(0.1);
});

test('what lies between late and punctual changes nothing', () => {
  const guard = after(times(15, 180));
  const { share } = after(times(30, 80), guard);
  expect(after(times(100, 80), guard).share).toBeCloseTo(share, 1);
});

test('it is back to normal within seconds of punctuality', () => {
  const guard = after(times(500, 180));
  expect(after(times(400, 0), guard).share).toBe(1);
});

test('connections are turned away only when the loop is hopelessly late', () => {
  expect(isOverwhelmed(after(times(30, 200)), LIMIT_MS)).toBe(false);
  expect(isOverwhelmed(after(times(10, 1_500)), LIMIT_MS)).toBe(true);
});
