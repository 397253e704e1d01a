import { tokenState } from './token-state';

const at = (ms: number) => new Date(ms);
const plain = { expiresAt: null, revokedAt: null, overlapUntil: null };

test.each([
  ['active', plain, 10],
  ['active', { ...plain, expiresAt: at(11), overlapUntil: at(11) }, 10],
  ['expired', { ...plain, expiresAt: at(10) }, 10],
  ['rotated', { ...plain, overlapUntil: at(10) }, 10],
  ['revoked', { ...plain, revokedAt: at(99), expiresAt: at(1) }, 10],
] as const)('is %s', (state, token, nowMs) => {
  expect(tokenState(token, nowMs)).toBe(state);
});
