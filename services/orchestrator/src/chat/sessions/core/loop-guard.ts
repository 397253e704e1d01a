/**
 * Watches how late the event loop is, and says which share of the usual work may be taken on. One long pause is
 * forgiven; while the loop stays late the share shrinks, quickly, and grows back slowly: shutting the door altogether
 * would leave a loop that is merely busy with nothing to do a moment later.
 */
export interface LoopGuard {
  meanDelayMs: number;
  /** From `LEAST_SHARE` to 1. */
  share: number;
}

const MEMORY_MS = 1_000;
const LEAST_SHARE = 0.1;
/** Below this part of the limit the loop counts as punctual. */
const CALM = 0.5;
/** A second too late keeps this much of the share; a punctual second gives this much back. */
const KEPT_PER_SECOND = 0.5;
const REGAINED_PER_SECOND = 0.2;
/** This many times the limit, nothing new is worth its while. */
const OVERWHELMED = 5;

export function newLoopGuard(): LoopGuard {
  return { meanDelayMs: 0, share: 1 };
}

/** Notes that a timer meant to fire after `periodMs` fired `delayMs` too late. */
export function noteDelay(
  guard: LoopGuard,
  delayMs: number,
  periodMs: number,
  limitMs: number,
): void {
  const elapsedMs = periodMs + delayMs;
  const weight = 1 - Math.exp(-elapsedMs / MEMORY_MS);
  guard.meanDelayMs += weight * (delayMs - guard.meanDelayMs);
  const seconds = elapsedMs / 1_000;
  if (guard.meanDelayMs > limitMs) {
    guard.share = Math.max(LEAST_SHARE, guard.share * KEPT_PER_SECOND ** seconds);
  } else if (guard.meanDelayMs < limitMs * CALM) {
    guard.share = Math.min(1, guard.share + REGAINED_PER_SECOND * seconds);
  }
}

/** Whether even cheap work, such as opening a connection, is turned away. */
export function isOverwhelmed(guard: LoopGuard, limitMs: number): boolean {
  return guard.meanDelayMs > OVERWHELMED * limitMs;
}
