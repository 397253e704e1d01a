/** An example to learn from: sparse features and the label they carry. */
export interface Example<Label extends string> {
  readonly features: ReadonlyMap<string, number>;
  readonly label: Label;
}

/** A linear classifier: one weight for each feature and label. */
export interface SoftmaxModel<Label extends string> {
  readonly labels: readonly Label[];
  readonly featureIndex: ReadonlyMap<string, number>;
  /** (features + bias) × labels, the labels of one feature side by side. */
  readonly weights: Float64Array;
}

export interface TrainingOptions {
  readonly epochs: number;
  readonly learningRate: number;
  /** Share of a weight that is forgotten in every epoch; keeps rare features from deciding alone. */
  readonly decay: number;
}

/**
 * Multinomial logistic regression by gradient descent from zero, in the order given: the same
 * examples make the same model, bit for bit.
 */
export function trainSoftmax<Label extends string>(
  labels: readonly Label[],
  examples: readonly Example<Label>[],
  options: TrainingOptions,
): SoftmaxModel<Label> {
  const model = untrained(labels, examples);
  const prepared = examples.map(({ features, label }) => ({
    vector: sparseVector(model, features),
    target: labels.indexOf(label),
  }));
  for (let epoch = 0; epoch < options.epochs; epoch += 1) {
    const rate = options.learningRate / (1 + epoch / options.epochs);
    for (const { vector, target } of prepared) step(model, vector, target, rate);
    forget(model.weights, options.decay);
  }
  return model;
}

/** The probability of each label; unknown features count for nothing. */
export function classifySoftmax<Label extends string>(
  model: SoftmaxModel<Label>,
  features: ReadonlyMap<string, number>,
): ReadonlyMap<Label, number> {
  const probabilities = predict(model, sparseVector(model, features));
  return new Map(model.labels.map((label, row) => [label, probabilities[row] ?? 0]));
}

interface Component {
  /** Where the labels' weights of the feature begin. */
  readonly at: number;
  readonly value: number;
}

function untrained<Label extends string>(
  labels: readonly Label[],
  examples: readonly Example<Label>[],
): SoftmaxModel<Label> {
  const names = new Set(examples.flatMap(({ features }) => [...features.keys()]));
  const featureIndex = new Map([...names].map((name, index) => [name, index]));
  return { labels, featureIndex, weights: new Float64Array(labels.length * (names.size + 1)) };
}

function sparseVector(
  { labels, featureIndex }: SoftmaxModel<string>,
  features: ReadonlyMap<string, number>,
): readonly Component[] {
  const vector = [{ at: featureIndex.size * labels.length, value: 1 }];
  for (const [name, value] of features) {
    const index = featureIndex.get(name);
    if (index !== undefined) vector.push({ at: index * labels.length, value });
  }
  return vector;
}

function predict(
  { labels, weights }: SoftmaxModel<string>,
  vector: readonly Component[],
): number[] {
  const logits = labels.map(() => 0);
  for (const { at, value } of vector) {
    for (let row = 0; row < logits.length; row += 1) {
      logits[row] = (logits[row] ?? 0) + value * (weights[at + row] ?? 0);
    }
  }
  const highest = Math.max(...logits);
  const exponents = logits.map((logit) => Math.exp(logit - highest));
  const total = exponents.reduce((sum, exponent) => sum + exponent, 0);
  return exponents.map((exponent) => exponent / total);
}

function step(
  model: SoftmaxModel<string>,
  vector: readonly Component[],
  target: number,
  rate: number,
): void {
  const { weights } = model;
  const push = predict(model, vector).map(
    (probability, row) => rate * ((row === target ? 1 : 0) - probability),
  );
  for (const { at, value } of vector) {
    for (let row = 0; row < push.length; row += 1) {
      weights[at + row] = (weights[at + row] ?? 0) + (push[row] ?? 0) * value;
    }
  }
}

function forget(weights: Float64Array, share: number): void {
  for (let i = 0; i < weights.length; i += 1) weights[i] = (weights[i] ?? 0) * (1 - share);
}
