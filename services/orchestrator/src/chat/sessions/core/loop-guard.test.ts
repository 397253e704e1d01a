import { newLoopGuard, noteDelay } from './loop-guard';

const LIMIT_MS = 100;

function after(delays: readonly number[]) {
  const guard = newLoopGuard();
  for (const delayMs of delays) noteDelay(guard, delayMs, 20, LIMIT_MS);
  return guard;
}

const times = (count: number, delayMs: number) => Array.from({ length: count }, () => delayMs);

test('a punctual loop sheds nothing', () => {
  expect(after(times(1_000, 2)).shedding).toBe(false);
});

test('one long pause is forgiven', () => {
  expect(after([...times(50, 1), 300, ...times(5, 1)]).shedding).toBe(false);
});

test('a loop that stays late sheds, within two seconds', () => {
  expect(after(times(10, 180)).shedding).toBe(true);
});

test('it opens again once it is well below the limit, not at the limit', () => {
  const guard = after(times(30, 200));
  noteDelay(guard, 90, 20, LIMIT_MS);
  expect(guard.shedding).toBe(true);
  for (const delayMs of times(120, 0)) noteDelay(guard, delayMs, 20, LIMIT_MS);
  expect(guard.shedding).toBe(false);
});
