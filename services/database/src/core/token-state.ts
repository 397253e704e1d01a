/** The moments that decide whether a token works. */
export interface TokenLifetime {
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  /** Set when it was rotated: both it and its successor work until then. */
  readonly overlapUntil: Date | null;
}

export type TokenState = 'active' | 'revoked' | 'expired' | 'rotated';

/** What a token is at this moment. */
export function tokenState(token: TokenLifetime, nowMs: number): TokenState {
  if (token.revokedAt !== null) return 'revoked';
  if (token.expiresAt !== null && token.expiresAt.getTime() <= nowMs) return 'expired';
  if (token.overlapUntil !== null && token.overlapUntil.getTime() <= nowMs) return 'rotated';
  return 'active';
}
