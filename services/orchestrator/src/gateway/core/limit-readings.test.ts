import fc from 'fast-check';
import { holderOf, limitsOfHolder, tokenOfHolder } from './limit-holder';
import { noteGrant, readLimit, takeFrom } from './limit-reading';
import { newLatencyWindow, noteLatency, takePercentile } from './latency-window';
import { UNLIMITED } from './minute-limits';

test('what was taken is missing, and comes back evenly', () => {
  const bucket = { fullAtMs: 0 };
  takeFrom(bucket, 60, 6, 1_000);
  expect(readLimit(bucket, 60, 1_000)).toEqual({ limit: 60, remaining: 54, resetMs: 6_000 });
  expect(readLimit(bucket, 60, 4_000).remaining).toBe(57);
  takeFrom(bucket, 60, -100, 4_000);
  expect(readLimit(bucket, 60, 4_000)).toEqual({ limit: 60, remaining: 60, resetMs: 0 });
});

test('what the shared limits say of themselves stands; where they say nothing, what was given counts', () => {
  const buckets = { requests: { fullAtMs: 0 }, tokens: { fullAtMs: 0 } };
  const grant = {
    perMinute: { requests: 60, tokens: 600 },
    amounts: { requests: 1, tokens: 100 },
  };
  const left = () => [
    readLimit(buckets.requests, 60, 5_000).remaining,
    readLimit(buckets.tokens, 600, 5_000).remaining,
  ];
  noteGrant(buckets, { ...grant, untilFullMs: undefined }, 5_000);
  expect(left()).toEqual([59, 500]);
  noteGrant(buckets, { ...grant, untilFullMs: { requests: 40_000, tokens: 6_000 } }, 5_000);
  expect(left()).toEqual([20, 540]);
});

test('a holder carries its limits in its name, whatever the token is called', () => {
  fc.assert(
    fc.property(fc.string(), fc.option(fc.integer({ min: 1, max: 1e9 })), (tokenId, rpm) => {
      const holder = holderOf({ tokenId, requestsPerMinute: rpm, tokensPerMinute: 5 });
      expect(holder && tokenOfHolder(holder)).toBe(tokenId);
      expect(holder && limitsOfHolder(holder)).toEqual({ requests: rpm ?? UNLIMITED, tokens: 5 });
    }),
  );
});

test('nobody without limits of their own is a holder', () => {
  expect(
    holderOf({ tokenId: 'a', requestsPerMinute: null, tokensPerMinute: null }),
  ).toBeUndefined();
  expect(holderOf({ tokenId: null, requestsPerMinute: 1, tokensPerMinute: null })).toBeUndefined();
});

test('a percentile is of one period, and a quiet period has none', () => {
  const window = newLatencyWindow();
  for (let n = 1; n <= 100; n += 1) noteLatency(window, n, 0.5);
  expect(takePercentile(window, 99)).toBe(99);
  expect(takePercentile(window, 99)).toBeUndefined();
});

test('however many latencies come, only so many are kept', () => {
  const window = newLatencyWindow();
  for (let n = 0; n < 20_000; n += 1) noteLatency(window, 5, (n % 100) / 100);
  expect(window.samples.length).toBe(5_000);
});
