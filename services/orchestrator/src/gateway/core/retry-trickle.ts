/**
 * Retries are earned by requests. In a quiet hour that would be none: whoever needs one while nobody else is there must
 * not be refused for it. So a few come by time as well.
 */
export interface RetryTrickle {
  readonly everyMs: number;
  readonly most: number;
  lastAtMs: number;
}

/** How many retries have come by since the last time; what was not asked for in time is lost. */
export function takeTrickle(trickle: RetryTrickle, nowMs: number): number {
  const due = Math.floor((nowMs - trickle.lastAtMs) / trickle.everyMs);
  if (due <= 0) return 0;
  trickle.lastAtMs = due >= trickle.most ? nowMs : trickle.lastAtMs + due * trickle.everyMs;
  return Math.min(due, trickle.most);
}
