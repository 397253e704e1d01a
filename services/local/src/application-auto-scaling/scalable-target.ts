import { AwsError } from '../wire/aws-error';
import { clamp } from './core/scaling-decision';
import type { CapacityLimits } from './core/scaling-decision';

interface SuspendedState {
  readonly dynamicIn: boolean;
  readonly dynamicOut: boolean;
  readonly scheduled: boolean;
}

/** An ECS service whose desired count may be moved between limits. */
export interface ScalableTarget extends CapacityLimits {
  readonly resourceId: string;
  readonly arn: string;
  readonly createdAtMs: number;
  readonly suspended: SuspendedState;
}

/** The capacity of what is scaled. */
export interface CapacityPort {
  /** Undefined when there is no such resource. */
  desiredCount(resourceId: string): number | undefined;
  setDesiredCount(resourceId: string, desiredCount: number): void;
}

export interface ScalingActivity {
  readonly id: string;
  readonly resourceId: string;
  readonly description: string;
  readonly cause: string;
  readonly atMs: number;
  readonly status: 'Successful' | 'Failed';
  readonly statusMessage: string;
}

/** Limits as they shall be; refuses a minimum above the maximum. */
export function withLimits(
  target: ScalableTarget,
  change: { readonly minCapacity?: number | undefined; readonly maxCapacity?: number | undefined },
): ScalableTarget {
  const minCapacity = change.minCapacity ?? target.minCapacity;
  const maxCapacity = change.maxCapacity ?? target.maxCapacity;
  if (minCapacity > maxCapacity) {
    throw new AwsError(
      'ValidationException',
      `The minimum capacity ${minCapacity} is above the maximum capacity ${maxCapacity}`,
    );
  }
  return { ...target, minCapacity, maxCapacity };
}

/** Where the capacity must go when the limits have moved past it, and the words ECS users know. */
export function pullIntoLimits(
  target: ScalableTarget,
  capacity: number,
): { readonly to: number; readonly cause: string } | undefined {
  const to = clamp(capacity, target);
  if (to === capacity) return undefined;
  const limit = to > capacity ? 'minimum' : 'maximum';
  return { to, cause: `${limit} capacity was set to ${to}` };
}
