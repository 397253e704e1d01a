import type { Predictor, Series } from './predictor';

/** Of what moved, the line has to explain this share; a step or noise is no trend. */
const TRUSTED_FIT = 0.8;

/** Least squares over all samples, prolonged as far as asked where the samples do lie along a line. */
export const linearTrend: Predictor = (series, aheadMs) => {
  const { slopePerSecond, atLast, explained } = fitted(series);
  const current = series.values.at(-1) ?? Number.NaN;
  return explained < TRUSTED_FIT ? current : atLast + slopePerSecond * (aheadMs / 1_000);
};

interface Line {
  readonly slopePerSecond: number;
  readonly atLast: number;
  /** Share of the variance that the line explains, 0 to 1. */
  readonly explained: number;
}

function fitted({ timesMs, values }: Series): Line {
  const lastMs = timesMs.at(-1) ?? 0;
  const n = values.length;
  let [sumX, sumY, sumXX, sumXY, sumYY] = [0, 0, 0, 0, 0];
  for (let index = 0; index < n; index += 1) {
    const x = ((timesMs[index] ?? lastMs) - lastMs) / 1_000;
    const y = values[index] ?? 0;
    sumX += x;
    sumY += y;
    sumXX += x * x;
    sumXY += x * y;
    sumYY += y * y;
  }
  const spreadX = n * sumXX - sumX * sumX;
  const spreadY = n * sumYY - sumY * sumY;
  const shared = n * sumXY - sumX * sumY;
  const slopePerSecond = spreadX === 0 ? 0 : shared / spreadX;
  return {
    slopePerSecond,
    atLast: (sumY - slopePerSecond * sumX) / n,
    explained: spreadX === 0 || spreadY === 0 ? 0 : (shared * shared) / (spreadX * spreadY),
  };
}
