import type { PlatformConfiguration } from '@matsuri/contract';
import { loadOf, type Load } from './load';
import { offeredSlots } from './offered';
import type { Series } from './prediction/predictor';
import type { HistoryPoint } from './state';
import type { Measured } from './telemetry';

/** History with what was just measured, as long as it is kept. The same measurement is kept once. */
export function remembered(
  history: readonly HistoryPoint[],
  measured: Measured,
  configuration: PlatformConfiguration,
  nowMs: number,
): readonly HistoryPoint[] {
  const oldestMs = nowMs - configuration.autoscaler.historySeconds * 1_000;
  const kept = history.filter((point) => point.atMs > oldestMs && point.atMs <= nowMs);
  const point = pointOf(measured, kept.at(-1), configuration);
  const isNew = point !== undefined && point.atMs > (kept.at(-1)?.atMs ?? -Infinity);
  if (isNew) kept.push(point);
  return kept;
}

/** One figure of the history over time, without the points where it was not measured. */
export function seriesOf(
  history: readonly HistoryPoint[],
  figureOf: (point: HistoryPoint) => number | undefined,
  sinceMs: number,
): Series {
  const timesMs: number[] = [];
  const values: number[] = [];
  for (const point of history) {
    const value = figureOf(point);
    if (value === undefined || point.atMs < sinceMs) continue;
    timesMs.push(point.atMs);
    values.push(value);
  }
  return { timesMs, values };
}

/** The average load since an instant; undefined when nothing was measured since. */
export function averageLoad(history: readonly HistoryPoint[], sinceMs: number): Load | undefined {
  let [points, tokensPerSecond, busySlots] = [0, 0, 0];
  for (let index = history.length - 1; index >= 0; index -= 1) {
    const point = history[index];
    if (point === undefined || point.atMs <= sinceMs) break;
    const load = loadOf(point);
    points += 1;
    tokensPerSecond += load.tokensPerSecond;
    busySlots += load.busySlots;
  }
  if (points === 0) return undefined;
  return { tokensPerSecond: tokensPerSecond / points, busySlots: busySlots / points };
}

function pointOf(
  measured: Measured,
  before: HistoryPoint | undefined,
  configuration: PlatformConfiguration,
): HistoryPoint | undefined {
  const { atMs, waiting, models } = measured;
  if (atMs === undefined) return undefined;
  const busy = offeredSlots(measured, before, configuration);
  const complex = models.complex.tokensPerSecond;
  const simple = models.simple.tokensPerSecond;
  return {
    atMs,
    ...(complex !== undefined && { complex }),
    ...(simple !== undefined && { simple }),
    ...(busy !== undefined && { busy }),
    ...(waiting !== undefined && { waiting }),
  };
}
