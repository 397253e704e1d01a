import type { Reading } from '../../core';
import type { MetricPoint } from './metric-queries';

/** A task that just started or stopped speaks in part of a period; so few may be missing. */
const WHOLE_SHARE = 0.9;

export interface GaugePoints {
  readonly values: readonly MetricPoint[];
  /** How many tasks spoke in each period. */
  readonly samples: readonly MetricPoint[];
}

/**
 * What a gauge over all tasks stands at: the newest period in which they all spoke. A later one in which only some
 * spoke is a lower bound, and news only if it is higher already.
 */
export function wholePeriod(
  { values, samples }: GaugePoints,
  runningTasks: number | undefined,
  periodMs: number,
  nowMs: number,
): Reading | undefined {
  const speakers = new Map(samples.map(({ startMs, value }) => [startMs, value]));
  const most = Math.max(0, ...speakers.values());
  const expected = Math.min(runningTasks ?? most, most) * WHOLE_SHARE;
  const newestFirst = [...values].sort((a, b) => b.startMs - a.startMs);
  const whole = newestFirst.find(({ startMs }) => (speakers.get(startMs) ?? 0) >= expected);
  if (whole === undefined) return undefined;
  const higher = newestFirst.find(
    ({ startMs, value }) => startMs > whole.startMs && value > whole.value,
  );
  return readingOf(higher ?? whole, periodMs, nowMs);
}

/** The newest period that is over; the one that runs, where no other is known. */
export function newestPeriod(
  points: readonly MetricPoint[],
  periodMs: number,
  nowMs: number,
): Reading | undefined {
  const newestFirst = [...points].sort((a, b) => b.startMs - a.startMs);
  const over = newestFirst.find(({ startMs }) => startMs + periodMs <= nowMs);
  const point = over ?? newestFirst[0];
  return point === undefined ? undefined : readingOf(point, periodMs, nowMs);
}

function readingOf({ startMs, value }: MetricPoint, periodMs: number, nowMs: number): Reading {
  return { value, atMs: Math.min(nowMs, startMs + periodMs) };
}
