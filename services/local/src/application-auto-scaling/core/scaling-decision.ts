import { adjusted, stepFor } from './step-scaling';
import type { StepScalingRule } from './step-scaling';

export interface TargetTrackingRule {
  readonly kind: 'target-tracking';
  readonly targetValue: number;
  readonly scaleOutCooldownMs: number;
  readonly scaleInCooldownMs: number;
}

export type ScalingRule = StepScalingRule | TargetTrackingRule;

/** What a policy last did; its cooldowns count from there. */
export interface PolicyMemory {
  readonly lastOut?: { readonly atMs: number; readonly fromCapacity: number };
  readonly lastIn?: { readonly atMs: number };
}

export interface CapacityLimits {
  readonly minCapacity: number;
  readonly maxCapacity: number;
}

/** An alarm calling a policy. */
export interface ScalingSignal {
  readonly metricValue: number;
  /** The threshold of the alarm that calls. */
  readonly threshold: number;
}

/**
 * The capacity a policy asks for now, within the limits; the present one when it asks for nothing.
 *
 * While a scale-out cools down, a new one is measured from the capacity before it, so that only a larger
 * demand adds to what is already on its way. While a scale-in cools down, none follows; a scale-out
 * is never held back by it.
 */
export function capacityAsked(
  rule: ScalingRule,
  memory: PolicyMemory,
  signal: ScalingSignal,
  capacity: number,
  limits: CapacityLimits,
  nowMs: number,
): number {
  const fresh = proposed(rule, signal, capacity);
  if (fresh === undefined || fresh === capacity) return capacity;
  if (fresh < capacity) {
    const coolsDown = isWithin(memory.lastIn?.atMs, cooldownsOf(rule).inMs, nowMs);
    return coolsDown ? capacity : Math.min(clamp(fresh, limits), capacity);
  }
  const { lastOut } = memory;
  const base =
    lastOut !== undefined && isWithin(lastOut.atMs, cooldownsOf(rule).outMs, nowMs)
      ? lastOut.fromCapacity
      : capacity;
  const asked = proposed(rule, signal, base) ?? capacity;
  return Math.max(clamp(asked, limits), capacity);
}

/** What a policy remembers after the capacity it asked for was set. */
export function remembered(
  memory: PolicyMemory,
  change: { readonly from: number; readonly to: number },
  rule: ScalingRule,
  nowMs: number,
): PolicyMemory {
  if (change.to < change.from) return { ...memory, lastIn: { atMs: nowMs } };
  const { lastOut } = memory;
  const continues = lastOut !== undefined && isWithin(lastOut.atMs, cooldownsOf(rule).outMs, nowMs);
  const fromCapacity = continues ? lastOut.fromCapacity : change.from;
  // A scale-out ends the waiting of an earlier scale-in.
  return { lastOut: { atMs: nowMs, fromCapacity } };
}

export function clamp(capacity: number, { minCapacity, maxCapacity }: CapacityLimits): number {
  return Math.min(Math.max(capacity, minCapacity), maxCapacity);
}

function proposed(rule: ScalingRule, signal: ScalingSignal, capacity: number): number | undefined {
  if (rule.kind === 'target-tracking') {
    return Math.ceil((capacity * signal.metricValue) / rule.targetValue);
  }
  const step = stepFor(rule, signal.metricValue - signal.threshold);
  return step === undefined ? undefined : adjusted(rule, step, capacity);
}

function cooldownsOf(rule: ScalingRule): { readonly outMs: number; readonly inMs: number } {
  return rule.kind === 'step'
    ? { outMs: rule.cooldownMs, inMs: rule.cooldownMs }
    : { outMs: rule.scaleOutCooldownMs, inMs: rule.scaleInCooldownMs };
}

function isWithin(sinceMs: number | undefined, lengthMs: number, nowMs: number): boolean {
  return sinceMs !== undefined && nowMs - sinceMs < lengthMs;
}
