import type { MetricDatum, StatisticSet } from './metric';

/** Everything a statistic of one stretch of time needs. */
export interface SampleBucket {
  readonly startMs: number;
  sum: number;
  sampleCount: number;
  minimum: number;
  maximum: number;
  /** Samples by value; undefined once a statistic set made single values unknown. */
  counts: Map<number, number> | undefined;
}

export function emptyBucket(startMs: number): SampleBucket {
  return {
    startMs,
    sum: 0,
    sampleCount: 0,
    minimum: Infinity,
    maximum: -Infinity,
    counts: new Map(),
  };
}

export function addSamples(bucket: SampleBucket, samples: MetricDatum['samples']): void {
  if (!isStatisticSet(samples)) {
    for (const { value, count } of samples) addValue(bucket, value, count);
  } else if (samples.minimum === samples.maximum) {
    addValue(bucket, samples.minimum, samples.sampleCount);
  } else {
    addStatistics(bucket, samples);
    bucket.counts = undefined;
  }
}

export function mergeInto(bucket: SampleBucket, other: SampleBucket): void {
  addStatistics(bucket, other);
  if (other.counts === undefined) bucket.counts = undefined;
  for (const [value, count] of other.counts ?? []) countValue(bucket, value, count);
}

/** Whether samples are a sender's own summary. */
function isStatisticSet(samples: MetricDatum['samples']): samples is StatisticSet {
  return 'sampleCount' in samples;
}

function addValue(bucket: SampleBucket, value: number, count: number): void {
  addStatistics(bucket, {
    sum: value * count,
    sampleCount: count,
    minimum: value,
    maximum: value,
  });
  countValue(bucket, value, count);
}

function addStatistics(bucket: SampleBucket, added: StatisticSet): void {
  bucket.sum += added.sum;
  bucket.sampleCount += added.sampleCount;
  bucket.minimum = Math.min(bucket.minimum, added.minimum);
  bucket.maximum = Math.max(bucket.maximum, added.maximum);
}

function countValue(bucket: SampleBucket, value: number, count: number): void {
  bucket.counts?.set(value, (bucket.counts.get(value) ?? 0) + count);
}
