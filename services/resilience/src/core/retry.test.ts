import fc from 'fast-check';
import {
  createRetryBudget,
  requestEnded,
  requestStarted,
  retryEnded,
  tryRetry,
} from './retry-budget';
import { decideRetry, fullJitterMs } from './retry-decision';
import { DEFAULT_RETRY_BUDGET } from './configured';

const SETTINGS = { maxAttempts: 3, baseMs: 100, capMs: 5_000 };

const again = { kind: 'retry' } as const;

describe('the wait before a retry', () => {
  test('is anywhere between nothing and the doubled, capped ceiling', () => {
    const ceilings = [1, 2, 3, 10, 10_000].map((attempt) =>
      fullJitterMs(attempt, { baseMs: 100, capMs: 5_000 }, () => 1),
    );
    expect(ceilings).toEqual([100, 200, 400, 5_000, 5_000]);
    expect(fullJitterMs(3, SETTINGS, () => 0)).toBe(0);
  });

  test('is at least what the other side asked for', () => {
    const verdict = { kind: 'retry', retryAfterMs: 700 } as const;
    const failure = { attempt: 1, verdict, remainingMs: 5_000 };
    expect(decideRetry(failure, SETTINGS, () => 0.5)).toEqual({ kind: 'retry', delayMs: 750 });
  });
});

test.each([
  ['the error is final', { attempt: 1, verdict: { kind: 'final' }, remainingMs: 5_000 }, 'final'],
  ['it was the last attempt', { attempt: 3, verdict: again, remainingMs: 5_000 }, 'attempts'],
  [
    'the wait would outlast the deadline',
    { attempt: 1, verdict: again, remainingMs: 50 },
    'deadline',
  ],
  [
    'the other side asks for more time than there is',
    { attempt: 1, verdict: { kind: 'retry', retryAfterMs: 6_000 }, remainingMs: 5_000 },
    'deadline',
  ],
] as const)('no retry when %s', (_, failure, reason) => {
  expect(decideRetry(failure, SETTINGS, () => 0.5)).toEqual({ kind: 'stop', reason });
});

describe('the budget', () => {
  test('lets a lone request retry', () => {
    const budget = createRetryBudget(DEFAULT_RETRY_BUDGET);
    requestStarted(budget);
    expect(tryRetry(budget)).toBe(true);
  });

  test('lets at most a fifth of the live requests retry at once', () => {
    const budget = createRetryBudget({ ...DEFAULT_RETRY_BUDGET, maxSaved: 1_000 });
    for (let n = 0; n < 100; n++) requestStarted(budget);
    expect(Array.from({ length: 100 }, () => tryRetry(budget)).filter(Boolean)).toHaveLength(20);
    expect(budget.refused).toBe(80);
  });

  test('never gives more than a fifth of all requests, plus its minimum, however quick they fail', () => {
    const kinds = fc.constantFrom('start', 'retry', 'retry', 'end');
    fc.assert(
      fc.property(fc.array(kinds, { maxLength: 300 }), (steps) => {
        const budget = createRetryBudget(DEFAULT_RETRY_BUDGET);
        let requests = 0;
        let retries = 0;
        for (const step of steps) {
          if (step === 'start') {
            requestStarted(budget);
            requests++;
          } else if (step === 'end' && budget.live > 0) requestEnded(budget);
          else if (tryRetry(budget)) {
            retries++;
            retryEnded(budget);
          }
          expect(retries).toBeLessThanOrEqual(0.2 * requests + 3 + 1e-6);
        }
      }),
    );
  });

  test('five requests earn exactly one retry', () => {
    const budget = createRetryBudget({ ratio: 0.2, minimum: 3, maxSaved: 100 });
    while (tryRetry(budget)) retryEnded(budget);
    for (let n = 0; n < 4; n++) requestStarted(budget);
    expect(tryRetry(budget)).toBe(false);
    requestStarted(budget);
    expect(tryRetry(budget)).toBe(true);
    retryEnded(budget);
    expect(tryRetry(budget)).toBe(false);
  });
});
