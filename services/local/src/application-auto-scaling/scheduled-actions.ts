import { every } from '../clock/clock';
import type { Clock } from '../clock/clock';
import { nextRun } from './core/schedule';
import type { Schedule } from './core/schedule';
import { withLimits } from './scalable-target';
import type { TargetBook } from './target-book';

export interface ScheduledAction {
  readonly name: string;
  readonly arn: string;
  readonly resourceId: string;
  readonly createdAtMs: number;
  /** As it was put. */
  readonly scheduleText: string;
  readonly schedule: Schedule;
  readonly timezone: string | undefined;
  readonly startMs: number | undefined;
  readonly endMs: number | undefined;
  readonly minCapacity: number | undefined;
  readonly maxCapacity: number | undefined;
}

/** Scheduled actions, run at their times. */
export interface ScheduledActions {
  find(resourceId: string, name: string): ScheduledAction | undefined;
  list(): readonly ScheduledAction[];
  save(action: ScheduledAction): void;
  remove(action: ScheduledAction): void;
  stop(): void;
}

export interface ScheduledActionsOptions {
  readonly targets: TargetBook;
  readonly clock: Clock;
  /** Whether a one-time action disappears once it has run. AWS's documents do not say. */
  readonly forgetOneTime: boolean;
}

const TICK_MS = 1_000;

export function scheduledActions({
  targets,
  clock,
  forgetOneTime,
}: ScheduledActionsOptions): ScheduledActions {
  const actions = new Map<string, ScheduledAction>();
  const dueMs = new Map<string, number | undefined>();

  const plan = (action: ScheduledAction, afterMs: number): void => {
    const fromMs = Math.max(afterMs, (action.startMs ?? -Infinity) - 1);
    const next = nextRun(action.schedule, fromMs, action.startMs ?? action.createdAtMs);
    const isOver = next === undefined || next > (action.endMs ?? Infinity);
    dueMs.set(action.arn, isOver ? undefined : next);
  };

  const run = (action: ScheduledAction): void => {
    const target = targets.find(action.resourceId);
    if (target === undefined || target.suspended.scheduled) return;
    const cause = `scheduled action name ${action.name} was triggered`;
    try {
      targets.save(withLimits(target, action), cause);
    } catch (refused) {
      const message = refused instanceof Error ? refused.message : String(refused);
      const wanted = `min ${action.minCapacity ?? 'unchanged'}, max ${action.maxCapacity ?? 'unchanged'}`;
      targets.fail(action.resourceId, `Setting capacity limits: ${wanted}`, cause, message);
    }
  };

  const remove = (action: ScheduledAction): void => {
    actions.delete(action.arn);
    dueMs.delete(action.arn);
  };

  const stop = every(clock, TICK_MS, () => {
    const nowMs = clock.nowMs();
    for (const action of actions.values()) {
      const due = dueMs.get(action.arn);
      if (due === undefined || due > nowMs) continue;
      run(action);
      if (action.schedule.kind === 'at' && forgetOneTime) remove(action);
      else plan(action, nowMs);
    }
  });

  return {
    find: (resourceId, name) =>
      [...actions.values()].find(
        (action) => action.resourceId === resourceId && action.name === name,
      ),
    list: () => [...actions.values()],
    save(action) {
      actions.set(action.arn, action);
      plan(action, clock.nowMs());
    },
    remove,
    stop,
  };
}
