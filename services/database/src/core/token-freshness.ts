/** How long what is known of a token may be believed. */
export interface FreshnessLimits {
  /** While changes are pushed to us. */
  readonly pushedMs: number;
  /** While they are not: a revocation must show by asking again. */
  readonly unpushedMs: number;
}

/** What is promised about a token's rights, and what that means for what is remembered of it. */
export function freshnessLimits(cacheMs: number, revocationMs: number): FreshnessLimits {
  // Asked again after half the time: the other half is for the question.
  return { pushedMs: cacheMs, unpushedMs: revocationMs / 2 };
}

const PROMISED = freshnessLimits(300_000, 1_000);

/**
 * Whether an entry may be used without asking. The long limit holds only for an entry that was asked for
 * after we began to listen: a change made before that is in the answer, one made later will be told.
 *
 * @param askedAtMs when the question was put, not when its answer came
 * @param listeningSinceMs `undefined` while nobody would tell us of changes
 */
export function isFresh(
  askedAtMs: number,
  listeningSinceMs: number | undefined,
  nowMs: number,
  limits: FreshnessLimits = PROMISED,
): boolean {
  const ageMs = nowMs - askedAtMs;
  const pushed = listeningSinceMs !== undefined && askedAtMs >= listeningSinceMs;
  return ageMs < (pushed ? limits.pushedMs : limits.unpushedMs);
}
