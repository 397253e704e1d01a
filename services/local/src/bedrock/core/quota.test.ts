import fc from 'fast-check';

import { chargeOf, freshQuota, reservationOf, reserve, settle } from './quota';
import type { QuotaLimits, QuotaState } from './quota';

const usage = { inputTokens: 100, cacheWriteInputTokens: 20, cacheReadInputTokens: 3_000 };
const perMinute = (tokensPerMinute: number): QuotaLimits => ({ tokensPerMinute });

test('a call reserves its whole input, cached or not, and all it may answer', () => {
  expect(reservationOf(usage, 1_000)).toBe(4_120);
});

test('a finished call costs its fresh input and its output times the burndown; cache reads are free', () => {
  expect(chargeOf(usage, 50, 5)).toBe(370);
});

test('two million tokens a minute let 1,333 calls of 500 in and 1,000 out start at once', () => {
  const limits = perMinute(2_000_000);
  let state = freshQuota(limits, 0);
  let started = 0;
  for (;;) {
    const decision = reserve(state, limits, 1_500, 0);
    if (decision.refused) break;
    state = decision.state;
    started += 1;
  }
  expect(started).toBe(1_333);
});

test('an answer shorter than its reservation gives the difference back', () => {
  const limits = perMinute(1_000);
  const { state } = reserve(freshQuota(limits, 0), limits, 900, 0);
  expect(reserve(state, limits, 300, 0).refused).toBe('tokens');

  const settled = settle(state, limits, { reserved: 900, charged: 100 }, 0);
  expect(reserve(settled, limits, 300, 0).refused).toBeUndefined();
});

test('a burndown above the reservation leaves a debt that time pays', () => {
  const limits = perMinute(1_000);
  const { state } = reserve(freshQuota(limits, 0), limits, 1_000, 0);
  const indebted = settle(state, limits, { reserved: 1_000, charged: 1_500 }, 0);

  expect(indebted.tokens).toBe(-500);
  expect(reserve(indebted, limits, 1, 30_000).refused).toBe('tokens');
  expect(reserve(indebted, limits, 1, 30_061).refused).toBeUndefined();
});

test('requests per minute refuse whatever the tokens', () => {
  const limits = { requestsPerMinute: 1 };
  const { state } = reserve(freshQuota(limits, 0), limits, 0, 0);
  expect(reserve(state, limits, 0, 0).refused).toBe('requests');
  expect(reserve(state, limits, 0, 60_000).refused).toBeUndefined();
});

test('tokens per day begin anew at midnight UTC', () => {
  const limits = { tokensPerDay: 1_000 };
  const { state } = reserve(freshQuota(limits, 0), limits, 800, 0);
  expect(reserve(state, limits, 300, 1).refused).toBe('tokens-per-day');
  expect(reserve(state, limits, 300, 86_400_000).refused).toBeUndefined();
});

test('over every interval the grants stay within one burst plus the refill', () => {
  const limits: QuotaLimits = { tokensPerMinute: 6_000 };
  const calls = fc.array(fc.record({ gapMs: fc.nat(3_000), tokens: fc.nat(4_000) }), {
    maxLength: 80,
  });
  fc.assert(
    fc.property(calls, (history) => {
      let state: QuotaState = freshQuota(limits, 0);
      let nowMs = 0;
      const grants: { atMs: number; tokens: number }[] = [];
      for (const call of history) {
        nowMs += call.gapMs;
        const decision = reserve(state, limits, call.tokens, nowMs);
        state = decision.state;
        if (!decision.refused) grants.push({ atMs: nowMs, tokens: call.tokens });
      }
      for (const [index, from] of grants.entries()) {
        let total = 0;
        for (const grant of grants.slice(index)) {
          total += grant.tokens;
          expect(total).toBeLessThanOrEqual(6_000 + (grant.atMs - from.atMs) * 0.1 + 1e-6);
        }
      }
    }),
  );
});
