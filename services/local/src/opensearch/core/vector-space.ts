/** How the likeness of two vectors becomes a score; higher is closer, never below zero. */
export const SPACE_TYPES = ['cosinesimil', 'l2', 'innerproduct'] as const;
export type SpaceType = (typeof SPACE_TYPES)[number];

/** A vector with its length, which every comparison needs. */
export interface Vector {
  readonly values: Float64Array;
  readonly length: number;
}

export function vectorOf(numbers: readonly number[]): Vector {
  const values = Float64Array.from(numbers);
  return { values, length: Math.sqrt(dot(values, values)) };
}

/** The score OpenSearch gives a vector for a query vector, by the space of the field. */
export function vectorScore(space: SpaceType, a: Vector, b: Vector): number {
  const product = dot(a.values, b.values);
  switch (space) {
    case 'cosinesimil': {
      const lengths = a.length * b.length;
      // Rounding of very short vectors must not make them more alike, or less, than is possible.
      const cosine = lengths === 0 ? 0 : Math.min(1, Math.max(-1, product / lengths));
      return (1 + cosine) / 2;
    }
    case 'l2':
      return 1 / (1 + Math.max(a.length ** 2 + b.length ** 2 - 2 * product, 0));
    case 'innerproduct':
      return product >= 0 ? product + 1 : 1 / (1 - product);
  }
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
