/**
 * What was seen of a distributed quantity (a latency) in one period.
 *
 * Up to 100 different values are kept as they are. From the 101st on they are counted in buckets
 * whose bounds grow by 1 %, and when they are read, neighbours are merged until 100 remain. With
 * k neighbours merged a value is off by at most (1.01^k − 1) / (1.01^k + 1): 0.5 % for k = 1, and
 * about 5 % when the values of one period fill four powers of ten evenly. Smallest, largest, sum
 * and count are always exact.
 */
export interface Distribution {
  count: number;
  sum: number;
  min: number;
  max: number;
  /** Value to occurrences, until there are too many; then bucket to occurrences. */
  readonly occurrences: Map<number, number>;
  bucketed: boolean;
}

/** CloudWatch takes this many values of one metric at once. */
export const MOST_VALUES = 100;

const GROWTH = 1.01;
const LOG_GROWTH = Math.log(GROWTH);
/** Magnitudes outside are counted at the edge, so buckets cannot exceed some eight thousand. */
const SMALLEST = 1e-6;
const LARGEST = 1e12;
const FIRST_BUCKET = Math.ceil(Math.log(SMALLEST) / LOG_GROWTH);

export interface ValueCounts {
  readonly values: readonly number[];
  readonly counts: readonly number[];
}

export function emptyDistribution(): Distribution {
  return {
    count: 0,
    sum: 0,
    min: Infinity,
    max: -Infinity,
    occurrences: new Map(),
    bucketed: false,
  };
}

export function observe(seen: Distribution, value: number): void {
  seen.count += 1;
  seen.sum += value;
  if (value < seen.min) seen.min = value;
  if (value > seen.max) seen.max = value;
  const slot = seen.bucketed ? bucketOf(value) : value;
  seen.occurrences.set(slot, (seen.occurrences.get(slot) ?? 0) + 1);
  if (!seen.bucketed && seen.occurrences.size > MOST_VALUES) intoBuckets(seen);
}

export function forget(seen: Distribution): void {
  seen.count = 0;
  seen.sum = 0;
  seen.min = Infinity;
  seen.max = -Infinity;
  seen.occurrences.clear();
  seen.bucketed = false;
}

/** At most 100 values in rising order, each with how often it occurred. */
export function valueCounts(seen: Distribution): ValueCounts {
  const rising = [...seen.occurrences].sort(([a], [b]) => a - b);
  if (!seen.bucketed) return unzipped(rising);

  const merge = smallestMerge(rising.map(([bucket]) => bucket));
  const merged = new Map<number, number>();
  for (const [bucket, count] of rising) {
    const group = groupOf(bucket, merge);
    merged.set(group, (merged.get(group) ?? 0) + count);
  }
  return unzipped(
    [...merged].map(([group, count]) => [
      Math.min(seen.max, Math.max(seen.min, middleOf(group, merge))),
      count,
    ]),
  );
}

/** How far off a reported value may be when `merge` neighbouring buckets became one. */
export function relativeError(merge: number): number {
  const width = GROWTH ** merge;
  return (width - 1) / (width + 1);
}

function intoBuckets(seen: Distribution): void {
  const exact = [...seen.occurrences];
  seen.occurrences.clear();
  seen.bucketed = true;
  for (const [value, count] of exact) {
    const bucket = bucketOf(value);
    seen.occurrences.set(bucket, (seen.occurrences.get(bucket) ?? 0) + count);
  }
}

/** 0 holds what is next to nothing; ±1, ±2, … hold growing magnitudes of either sign. */
function bucketOf(value: number): number {
  const magnitude = Math.min(Math.abs(value), LARGEST);
  if (magnitude <= SMALLEST) return 0;
  return Math.sign(value) * (Math.ceil(Math.log(magnitude) / LOG_GROWTH) - FIRST_BUCKET + 1);
}

function smallestMerge(buckets: readonly number[]): number {
  let merge = 1;
  while (new Set(buckets.map((bucket) => groupOf(bucket, merge))).size > MOST_VALUES) merge += 1;
  return merge;
}

function groupOf(bucket: number, merge: number): number {
  return Math.sign(bucket) * Math.ceil(Math.abs(bucket) / merge);
}

/** The value that is equally far, in proportion, from both bounds of the group. */
function middleOf(group: number, merge: number): number {
  if (group === 0) return 0;
  const upper = GROWTH ** (Math.abs(group) * merge + FIRST_BUCKET - 1);
  return (Math.sign(group) * 2 * upper) / (GROWTH ** merge + 1);
}

function unzipped(pairs: readonly (readonly [number, number])[]): ValueCounts {
  return { values: pairs.map(([value]) => value), counts: pairs.map(([, count]) => count) };
}
