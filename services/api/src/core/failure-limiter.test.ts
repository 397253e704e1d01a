import fc from 'fast-check';
import { FailureLimiter } from './failure-limiter';

const LIMITS = { burst: 3, forgiveMs: 1_000, maxAddresses: 2 };

function failedTimes(times: number, nowMs = 0): FailureLimiter {
  const limiter = new FailureLimiter(LIMITS);
  for (let i = 0; i < times; i++) limiter.failed('a', nowMs);
  return limiter;
}

test('an address that never failed may try', () => {
  expect(failedTimes(0).waitMs('a', 0)).toBe(0);
});

test('an address may fail as often as the burst allows', () => {
  expect(failedTimes(2).waitMs('a', 0)).toBe(0);
  expect(failedTimes(3).waitMs('a', 0)).toBe(1_000);
});

test('the wait it is told is exact', () => {
  const limiter = failedTimes(5);
  const waitMs = limiter.waitMs('a', 0);
  expect(limiter.waitMs('a', waitMs - 1)).toBe(1);
  expect(limiter.waitMs('a', waitMs)).toBe(0);
});

test('another address is not made to wait', () => {
  expect(failedTimes(9).waitMs('b', 0)).toBe(0);
});

test('the address that failed longest ago is forgotten first', () => {
  const limiter = failedTimes(3);
  for (let i = 0; i < 3; i++) limiter.failed('b', 1);
  limiter.failed('a', 2);
  limiter.failed('c', 3);
  expect(limiter.waitMs('b', 3)).toBe(0);
  expect(limiter.waitMs('a', 3)).toBeGreaterThan(0);
});

test('memory is bounded and no address fails faster than it is forgiven', () => {
  const steps = fc.array(fc.record({ address: fc.nat(5), gapMs: fc.nat(900) }), { maxLength: 200 });
  fc.assert(
    fc.property(steps, (history) => {
      const limiter = new FailureLimiter({ ...LIMITS, maxAddresses: 6 });
      const tried = new Map<number, number[]>();
      let nowMs = 0;
      for (const { address, gapMs } of history) {
        nowMs += gapMs;
        if (limiter.waitMs(String(address), nowMs) > 0) continue;
        limiter.failed(String(address), nowMs);
        tried.set(address, [...(tried.get(address) ?? []), nowMs]);
      }
      expect(limiter.remembered).toBeLessThanOrEqual(6);
      for (const times of tried.values()) expectAtMost(times);
    }),
  );
});

/** Over every interval: at most the burst plus one per time of forgiveness. */
function expectAtMost(times: readonly number[]): void {
  times.forEach((start, i) => {
    times.slice(i).forEach((end, count) => {
      expect(count + 1).toBeLessThanOrEqual(LIMITS.burst + (end - start) / LIMITS.forgiveMs);
    });
  });
}
