import { METRIC_PERIOD_SECONDS } from '@matsuri/contract';

/** Every program reports on the same marks of the clock, so that their readings fall together. */
export const PERIOD_MS = METRIC_PERIOD_SECONDS * 1_000;

/** The beginning of the period that holds this moment. */
export function periodStartMs(nowMs: number): number {
  return Math.floor(nowMs / PERIOD_MS) * PERIOD_MS;
}

/** How long until the period that holds this moment is over. */
export function msUntilPeriodEnd(nowMs: number): number {
  return periodStartMs(nowMs) + PERIOD_MS - nowMs;
}
