/** How much each feature tells: the rarer among the examples, the more (inverse document frequency). */
export interface FeatureWeights {
  readonly examples: number;
  readonly examplesWith: ReadonlyMap<string, number>;
}

/** Counts in how many examples each feature occurs. */
export function countFeatures(examples: readonly ReadonlySet<string>[]): FeatureWeights {
  const examplesWith = new Map<string, number>();
  for (const features of examples) {
    for (const name of features) examplesWith.set(name, (examplesWith.get(name) ?? 0) + 1);
  }
  return { examples: examples.length, examplesWith };
}

/** The features as a vector of length one. */
export function weighFeatures(
  { examples, examplesWith }: FeatureWeights,
  features: ReadonlySet<string>,
): ReadonlyMap<string, number> {
  const weighed = [...features].map((name) => {
    const weight = Math.log((examples + 1) / ((examplesWith.get(name) ?? 0) + 1));
    return [name, weight] as const;
  });
  const length = Math.hypot(...weighed.map(([, weight]) => weight));
  return new Map(weighed.map(([name, weight]) => [name, length === 0 ? 0 : weight / length]));
}
