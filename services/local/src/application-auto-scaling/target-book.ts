import { randomUUID } from 'node:crypto';

import type { Clock } from '../clock/clock';
import { pullIntoLimits } from './scalable-target';
import type { CapacityPort, ScalableTarget, ScalingActivity } from './scalable-target';

/** Scalable targets and the log of what was done to them. */
export interface TargetBook {
  find(resourceId: string): ScalableTarget | undefined;
  list(): readonly ScalableTarget[];
  /** Keeps the limits and pulls the capacity into them at once. */
  save(target: ScalableTarget, because?: string): void;
  remove(resourceId: string): void;
  capacityOf(resourceId: string): number | undefined;
  setCapacity(resourceId: string, to: number, cause: string): void;
  fail(resourceId: string, description: string, cause: string, message: string): void;
  /** Newest first. */
  activities(): readonly ScalingActivity[];
}

const ACTIVITIES_KEPT = 1_000;

export function targetBook(capacity: CapacityPort, clock: Clock): TargetBook {
  const targets = new Map<string, ScalableTarget>();
  let activities: ScalingActivity[] = [];

  const log = (activity: Omit<ScalingActivity, 'id' | 'atMs'>): void => {
    const entry = { ...activity, id: randomUUID(), atMs: clock.nowMs() };
    activities = [entry, ...activities].slice(0, ACTIVITIES_KEPT);
  };

  const setCapacity = (resourceId: string, to: number, cause: string): void => {
    capacity.setDesiredCount(resourceId, to);
    log({
      resourceId,
      description: `Setting desired count to ${to}.`,
      cause,
      status: 'Successful',
      statusMessage: `Successfully set desired count to ${to}. Change successfully fulfilled by ecs.`,
    });
  };

  return {
    find: (resourceId) => targets.get(resourceId),
    list: () => [...targets.values()],
    save(target, because) {
      targets.set(target.resourceId, target);
      const pulled = pullIntoLimits(target, capacity.desiredCount(target.resourceId) ?? 0);
      if (pulled === undefined) return;
      const cause = because === undefined ? pulled.cause : `${because}: ${pulled.cause}`;
      setCapacity(target.resourceId, pulled.to, cause);
    },
    remove: (resourceId) => void targets.delete(resourceId),
    capacityOf: (resourceId) => capacity.desiredCount(resourceId),
    setCapacity,
    fail: (resourceId, description, cause, statusMessage) =>
      log({ resourceId, description, cause, status: 'Failed', statusMessage }),
    activities: () => activities,
  };
}
