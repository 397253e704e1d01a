import { refusalAfter, stepAfter, type AttemptFailure } from './failover';
import { refusalOfDenials } from './denial';

const failures = {
  throttled: { kind: 'throttled', retryAfterMs: 700 },
  unavailable: { kind: 'unavailable' },
  late: { kind: 'late' },
  misconfigured: { kind: 'misconfigured' },
  rejected: { kind: 'invalid-request', message: 'too long' },
} as const satisfies Record<string, AttemptFailure>;

test.each([
  ['a full target is left for the next', failures.throttled, 1, 1, 'next'],
  ['a late one too', failures.late, 1, 1, 'next'],
  ['one we may not use too', failures.misconfigured, 1, 2, 'next'],
  ['a request no model would take goes nowhere else', failures.rejected, 1, 2, 'stop'],
  ['all failed quickly: once more from the top', failures.unavailable, 2, 0, 'again'],
  ['but not for ever', failures.unavailable, 3, 0, 'stop'],
  ['nobody waits a second time for those who were late', failures.late, 1, 0, 'stop'],
] as const)('%s', (_, failure, attempts, untried, step) => {
  expect(stepAfter(failure, { attempts, untried, maxAttempts: 3 })).toBe(step);
});

test.each([
  [failures.throttled, { reason: 'upstream-throttled', waitMs: 700 }],
  [failures.late, { reason: 'first-content-late' }],
  [failures.rejected, { reason: 'upstream-rejected', message: 'too long' }],
])('%j is what the caller is told of', (failure, refusal) => {
  expect(refusalAfter(failure, 'simple')).toMatchObject(refusal);
});

test('a caller nobody could take is told of whoever can soonest', () => {
  const denials = [
    { cause: 'breaker', waitMs: 9_000 },
    { cause: 'tokens', waitMs: 3_000 },
    { cause: 'too-large', waitMs: Infinity },
  ] as const;
  expect(refusalOfDenials(denials, 'm')).toEqual({
    reason: 'tokens-limited',
    subject: 'm',
    waitMs: 3_000,
  });
  expect(refusalOfDenials([denials[0]], 'm')).toMatchObject({ reason: 'upstream-throttled' });
  expect(refusalOfDenials([denials[2]], 'm')).toMatchObject({ reason: 'tokens-beyond-limit' });
});
