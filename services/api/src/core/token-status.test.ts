import { tokenStatus, type TokenLifetime } from './token-status';

const NOW_MS = Date.parse('2026-11-18T12:00:00Z');
const before = new Date(NOW_MS - 1);
const after = new Date(NOW_MS + 1);
const fresh: TokenLifetime = { expiresAt: null, revokedAt: null, overlapUntil: null };

test.each<[string, Partial<TokenLifetime>]>([
  ['active', {}],
  ['active', { expiresAt: after }],
  ['expired', { expiresAt: new Date(NOW_MS) }],
  ['rotating', { overlapUntil: after }],
  ['rotated', { overlapUntil: before }],
  ['expired', { overlapUntil: after, expiresAt: before }],
  ['revoked', { revokedAt: before, expiresAt: before, overlapUntil: before }],
])('is %s with %j', (status, moments) => {
  expect(tokenStatus({ ...fresh, ...moments }, NOW_MS)).toBe(status);
});
