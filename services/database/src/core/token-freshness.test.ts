import { freshnessLimits, isFresh } from './token-freshness';

test.each([
  ['heard of every change since: five minutes', 1_000, 500, 300_999, true],
  ['five minutes have passed', 1_000, 500, 301_000, false],
  ['asked before we listened', 400, 500, 1_000, false],
  ['asked before we listened, but just now', 400, 500, 899, true],
  ['nobody tells us: half a second', 1_000, undefined, 1_499, true],
  ['nobody tells us, half a second has passed', 1_000, undefined, 1_500, false],
])('%s', (_, askedAtMs, listeningSinceMs, nowMs, fresh) => {
  const limits = freshnessLimits(300_000, 1_000);
  expect(isFresh(askedAtMs, listeningSinceMs, nowMs, limits)).toBe(fresh);
});
