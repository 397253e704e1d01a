type AdjustmentType = 'ChangeInCapacity' | 'ExactCapacity' | 'PercentChangeInCapacity';

/** What to do while the metric is this far beyond the alarm's threshold; missing bounds are infinite. */
export interface StepAdjustment {
  readonly lowerBound?: number;
  readonly upperBound?: number;
  readonly adjustment: number;
}

export interface StepScalingRule {
  readonly kind: 'step';
  readonly adjustmentType: AdjustmentType;
  readonly steps: readonly StepAdjustment[];
  /** The least change of a percentage. */
  readonly minAdjustmentMagnitude?: number;
  readonly cooldownMs: number;
}

/** The step a breach falls into; above the threshold bounds include their lower end, below it their upper. */
export function stepFor(rule: StepScalingRule, breach: number): StepAdjustment | undefined {
  return rule.steps.find(({ lowerBound = -Infinity, upperBound = Infinity }) =>
    breach >= 0
      ? breach >= lowerBound && breach < upperBound
      : breach > lowerBound && breach <= upperBound,
  );
}

/** The capacity an adjustment asks for, before any limit. */
export function adjusted(rule: StepScalingRule, step: StepAdjustment, capacity: number): number {
  switch (rule.adjustmentType) {
    case 'ChangeInCapacity':
      return capacity + step.adjustment;
    case 'ExactCapacity':
      return step.adjustment;
    case 'PercentChangeInCapacity':
      return capacity + percentChange(rule, (capacity * step.adjustment) / 100);
  }
}

/** Fractions round towards zero, but never to nothing. */
function percentChange(rule: StepScalingRule, change: number): number {
  const rounded = Math.abs(change) < 1 ? Math.sign(change) : Math.trunc(change);
  const least = rule.minAdjustmentMagnitude ?? 0;
  return Math.sign(change) * Math.max(Math.abs(rounded), change === 0 ? 0 : least);
}
