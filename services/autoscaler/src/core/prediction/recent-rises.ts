import type { Predictor, Series } from './predictor';

/** Samples that are taken together as the level, so that a single one does not count for more. */
const LEVEL_SAMPLES = 3;
/** Of the rises seen, so many are covered; the steepest are left to the reaction. */
const COVERED_SHARE = 0.8;

/**
 * The present level and the rise that four out of five stretches of this length stayed below. It follows noise and
 * ramps alike, prolongs no step, and asks for nothing extra where nothing moves.
 */
export const recentRises: Predictor = (series, aheadMs) => {
  const level = levelAt(series.values, series.values.length - 1);
  const rises = risesWithin(series, aheadMs).sort();
  const rise = rises[Math.min(rises.length - 1, Math.floor(rises.length * COVERED_SHARE))] ?? 0;
  return level + Math.max(0, rise);
};

/** How much each sample stood above the level so long before. */
function risesWithin({ timesMs, values }: Series, aheadMs: number): Float64Array {
  const rises = new Float64Array(values.length);
  let count = 0;
  let later = 0;
  for (let index = 0; index < values.length; index += 1) {
    const untilMs = (timesMs[index] ?? 0) + aheadMs;
    while (later < values.length && (timesMs[later] ?? 0) < untilMs) later += 1;
    if (later === values.length) break;
    rises[count] = (values[later] ?? 0) - levelAt(values, index);
    count += 1;
  }
  return rises.subarray(0, count);
}

function levelAt(values: readonly number[], index: number): number {
  const from = Math.max(0, index - LEVEL_SAMPLES + 1);
  let sum = 0;
  for (let at = from; at <= index; at += 1) sum += values[at] ?? 0;
  return sum / (index - from + 1);
}
