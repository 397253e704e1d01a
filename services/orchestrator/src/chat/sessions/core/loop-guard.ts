/**
 * Watches how late the event loop is. One long pause is forgiven; a loop that stays late has more work than time, and
 * only taking no more of it helps.
 *
 *     open ── mean delay above the limit ──► shedding ── below half of it ──► open
 */
export interface LoopGuard {
  meanDelayMs: number;
  shedding: boolean;
}

const MEMORY_MS = 1_000;
const CALM = 0.5;

export function newLoopGuard(): LoopGuard {
  return { meanDelayMs: 0, shedding: false };
}

/** Notes that a timer meant to fire after `periodMs` fired `delayMs` too late. */
export function noteDelay(
  guard: LoopGuard,
  delayMs: number,
  periodMs: number,
  limitMs: number,
): void {
  const weight = 1 - Math.exp(-(periodMs + delayMs) / MEMORY_MS);
  guard.meanDelayMs += weight * (delayMs - guard.meanDelayMs);
  guard.shedding = guard.meanDelayMs > (guard.shedding ? limitMs * CALM : limitMs);
}
