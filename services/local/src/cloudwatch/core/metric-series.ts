import type { Datapoint, MetricDatum } from './metric';
import { addSamples, emptyBucket, mergeInto } from './sample-bucket';
import type { SampleBucket } from './sample-bucket';
import { statisticOf } from './statistic';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
// CloudWatch keeps seconds for three hours, minutes for fifteen days.
const SECONDS_KEPT_MS = 3 * 60 * MINUTE_MS;
const MINUTES_KEPT_MS = 15 * 24 * 60 * MINUTE_MS;

/** One series: buckets ordered by start, fine ones recent, minutes before. */
export interface MetricSeries {
  buckets: SampleBucket[];
  /** Before this time every bucket is a whole minute. */
  coarseBeforeMs: number;
}

export interface StatisticQuery {
  readonly statistic: string;
  readonly periodMs: number;
  readonly startMs: number;
  readonly endMs: number;
}

export function emptySeries(): MetricSeries {
  return { buckets: [], coarseBeforeMs: 0 };
}

export function addToSeries(series: MetricSeries, datum: MetricDatum, nowMs: number): void {
  const resolutionMs = datum.storageResolutionSeconds === 1 ? SECOND_MS : MINUTE_MS;
  const startMs = floorTo(datum.timestampMs ?? nowMs, resolutionMs);
  addSamples(bucketAt(series, startMs), datum.samples);
  if (nowMs - series.coarseBeforeMs > SECONDS_KEPT_MS + 10 * MINUTE_MS) coarsen(series, nowMs);
}

/** Statistics per period; periods start at `startMs` and those without samples have no point. */
export function readSeries(series: MetricSeries, query: StatisticQuery): Datapoint[] {
  const periods = new Map<number, SampleBucket>();
  for (let i = firstAtOrAfter(series.buckets, query.startMs); i < series.buckets.length; i += 1) {
    const bucket = series.buckets[i];
    if (bucket === undefined || bucket.startMs >= query.endMs) break;
    const offsetMs = floorTo(bucket.startMs - query.startMs, query.periodMs);
    const period = periods.get(offsetMs) ?? emptyBucket(query.startMs + offsetMs);
    periods.set(offsetMs, period);
    mergeInto(period, bucket);
  }
  return [...periods.values()].flatMap((period) => {
    const value = statisticOf(period, query.statistic);
    return value === undefined ? [] : [{ atMs: period.startMs, value }];
  });
}

export function floorTo(value: number, step: number): number {
  return Math.floor(value / step) * step;
}

function bucketAt(series: MetricSeries, startMs: number): SampleBucket {
  const at = startMs < series.coarseBeforeMs ? floorTo(startMs, MINUTE_MS) : startMs;
  const index = firstAtOrAfter(series.buckets, at);
  const found = series.buckets[index];
  if (found?.startMs === at) return found;
  const bucket = emptyBucket(at);
  series.buckets.splice(index, 0, bucket);
  return bucket;
}

function firstAtOrAfter(buckets: readonly SampleBucket[], atMs: number): number {
  let low = 0;
  let high = buckets.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((buckets[middle]?.startMs ?? Infinity) < atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

function coarsen(series: MetricSeries, nowMs: number): void {
  const previous = series.buckets;
  series.coarseBeforeMs = floorTo(nowMs - SECONDS_KEPT_MS, MINUTE_MS);
  series.buckets = [];
  for (const bucket of previous) {
    if (bucket.startMs < nowMs - MINUTES_KEPT_MS) continue;
    mergeInto(bucketAt(series, bucket.startMs), bucket);
  }
}
