/** The moments that decide whether a token works. */
export interface TokenLifetime {
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly overlapUntil: Date | null;
}

/** `rotating`: it has a successor and works until its overlap ends; `rotated`: that end has passed. */
export const TOKEN_STATUSES = ['active', 'rotating', 'rotated', 'expired', 'revoked'] as const;

export type TokenStatus = (typeof TOKEN_STATUSES)[number];

/** What a person is told about a token. */
export function tokenStatus(token: TokenLifetime, nowMs: number): TokenStatus {
  const passed = (moment: Date | null): boolean => moment !== null && moment.getTime() <= nowMs;
  if (token.revokedAt !== null) return 'revoked';
  if (passed(token.expiresAt)) return 'expired';
  if (passed(token.overlapUntil)) return 'rotated';
  return token.overlapUntil === null ? 'active' : 'rotating';
}
