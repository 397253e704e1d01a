export const NORMALIZATIONS = ['min_max', 'l2'] as const;
export const COMBINATIONS = ['arithmetic_mean', 'geometric_mean', 'harmonic_mean'] as const;

export type Normalization = (typeof NORMALIZATIONS)[number];
export type Combination = (typeof COMBINATIONS)[number];

/** The lowest hit of a query still counts for something, even if that lifts it over one a hair above it. */
const LEAST_SCORE = 0.001;

/** Brings the scores of one query to a scale that can be compared with another's. */
export function normalizeScores(technique: Normalization, scores: readonly number[]): number[] {
  switch (technique) {
    case 'min_max':
      return minMax(scores);
    case 'l2': {
      const length = Math.hypot(...scores);
      return scores.map((score) => (length === 0 ? LEAST_SCORE : score / length));
    }
  }
}

function minMax(scores: readonly number[]): number[] {
  const lowest = Math.min(...scores);
  const highest = Math.max(...scores);
  // A single score, or all alike: each is the best there is.
  if (lowest === highest) return scores.map(() => 1);
  return scores.map((score) => (score - lowest) / (highest - lowest) || LEAST_SCORE);
}

/**
 * One score from the normalized scores of a document in each query, 0 where the query did not find
 * it. The arithmetic mean counts such zeros, the others leave them out.
 */
export function combineScores(
  technique: Combination,
  scores: readonly number[],
  weights: readonly number[],
): number {
  const weighed = scores.map((score, index) => ({ score, weight: weights[index] ?? 1 }));
  const found = weighed.filter(({ score }) => score > 0);
  switch (technique) {
    case 'arithmetic_mean':
      return ratio(
        weighed.reduce((sum, { score, weight }) => sum + score * weight, 0),
        totalWeight(weighed),
      );
    case 'geometric_mean': {
      const logs = found.reduce((sum, { score, weight }) => sum + weight * Math.log(score), 0);
      const total = totalWeight(found);
      return total === 0 ? 0 : Math.exp(logs / total);
    }
    case 'harmonic_mean':
      return ratio(
        totalWeight(found),
        found.reduce((sum, { score, weight }) => sum + weight / score, 0),
      );
  }
}

function totalWeight(weighed: readonly { readonly weight: number }[]): number {
  return weighed.reduce((sum, { weight }) => sum + weight, 0);
}

function ratio(numerator: number, denominator: number): number {
  return denominator === 0 ? 0 : numerator / denominator;
}
