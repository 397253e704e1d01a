/** A figure over time, oldest first; both lists have the same length. */
export interface Series {
  readonly timesMs: readonly number[];
  readonly values: readonly number[];
}

/** Guesses a figure some time ahead of the last sample of a series that is not empty. */
export type Predictor = (series: Series, aheadMs: number) => number;

export interface PredictionBounds {
  readonly minimumPoints: number;
  /** A guess above this multiple of the recent maximum is not believed. */
  readonly clampFactor: number;
}

/**
 * What a predictor says, held to what can be believed: with too few points the current value, never negative,
 * never above a multiple of what was seen. Undefined without any sample.
 */
export function predict(
  predictor: Predictor,
  series: Series,
  aheadMs: number,
  { minimumPoints, clampFactor }: PredictionBounds,
): number | undefined {
  const { values } = series;
  const current = values.at(-1);
  if (current === undefined || values.length < minimumPoints) return current;
  const guess = predictor(series, aheadMs);
  if (!Number.isFinite(guess)) return current;
  return Math.min(Math.max(0, guess), Math.max(...values) * clampFactor);
}
