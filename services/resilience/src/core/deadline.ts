/** An instant on the monotonic clock after which nobody waits for the answer; `Infinity` is "none". */
export type DeadlineAtMs = number;

export const NO_DEADLINE: DeadlineAtMs = Infinity;

export function deadlineIn(budgetMs: number, nowMs: number): DeadlineAtMs {
  return nowMs + Math.max(0, budgetMs);
}

/** Budget left, never negative. */
export function remainingMs(deadlineAtMs: DeadlineAtMs, nowMs: number): number {
  return Math.max(0, deadlineAtMs - nowMs);
}

/** What a step may take: its own cap, or what the request has left if that is less. */
export function allowanceMs(deadlineAtMs: DeadlineAtMs, capMs: number, nowMs: number): number {
  return Math.min(Math.max(0, capMs), remainingMs(deadlineAtMs, nowMs));
}

/** A child never outlives its parent. */
export function childDeadline(
  parentAtMs: DeadlineAtMs,
  capMs: number,
  nowMs: number,
): DeadlineAtMs {
  return Math.min(parentAtMs, deadlineIn(capMs, nowMs));
}

/** Whether something that takes `waitMs` still leaves time to use its result. */
export function fitsDeadline(deadlineAtMs: DeadlineAtMs, waitMs: number, nowMs: number): boolean {
  return waitMs < remainingMs(deadlineAtMs, nowMs);
}
