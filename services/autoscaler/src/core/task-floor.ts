import type { PlatformConfiguration } from '@matsuri/contract';
import type { Cycle } from './cycle';
import type { Floor, TaskPlan } from './plan';
import type { TaskState, Want } from './state';
import { count, figure } from './wording';

interface Move {
  readonly floor: number;
  readonly change: TaskPlan['change'];
  readonly nudgeDesiredTo?: number | undefined;
  readonly why: string;
}

/**
 * Up at once to the largest ask. Down only to the largest ask of the hold period, in steps:
 *
 *   hold ──ask above the floor──► raise (small ones wait for the cooldown)
 *   hold ──no higher ask for holdSeconds──► lower by stepPercent every stepSeconds ──► hold
 */
export function planTasks(
  cycle: Cycle,
  floors: readonly Floor[],
): { readonly state: TaskState; readonly plan: TaskPlan } {
  const { measured, configuration, nowMs } = cycle;
  const state = cycle.before.tasks;
  const binding = largest(floors);
  const wanted = Math.min(configuration.scaling.maxTasks, binding.tasks);
  const current = Math.min(
    configuration.scaling.maxTasks,
    state.floor ?? measured.tasks?.minCapacity ?? wanted,
  );
  const wants = wantsWithin(cycle, wanted);
  const move =
    wanted > current
      ? raise(cycle, current, wanted, binding)
      : lower(cycle, current, highestOf(wants));
  const raised = move.change === 'raise';
  const desired = measured.tasks?.desired ?? state.lastDesired;
  return {
    state: {
      floor: move.floor,
      raisedAtMs: raised ? nowMs : state.raisedAtMs,
      loweredAtMs: move.change === 'lower' ? nowMs : state.loweredAtMs,
      wants: raised ? withWant(wants, { atMs: nowMs, tasks: move.floor }) : wants,
      lastDesired: desired,
    },
    plan: {
      floor: move.floor,
      change: move.change,
      nudgeDesiredTo: move.nudgeDesiredTo,
      expiresAtMs: nowMs + configuration.autoscaler.floorExpirySeconds * 1_000,
      returnsTo: calendarFloor(floors, configuration),
      wanted,
      floors,
      reason: reasonOf(move, binding, wanted),
    },
  };
}

function raise(cycle: Cycle, current: number, wanted: number, binding: Floor): Move {
  const { before, snapshot, configuration, nowMs } = cycle;
  const { scaleOut, scaleIn } = configuration.autoscaler;
  if (snapshot.freeze.scaleOut)
    return { floor: current, change: 'hold', why: 'scaling out is frozen' };

  const byLoad = binding.kind === 'reactive' || binding.kind === 'predicted';
  const to = byLoad ? Math.max(wanted, current + scaleOut.minimumStepTasks) : wanted;
  const floor = Math.min(configuration.scaling.maxTasks, to);
  const cooling = elapsedMs(before.tasks.raisedAtMs, nowMs) < scaleOut.cooldownSeconds * 1_000;
  // A crowd that keeps growing is not made to wait; a flicker is.
  const small = wanted - current < Math.ceil(current * (scaleIn.stepPercent / 100));
  if (byLoad && cooling && small) {
    return { floor: current, change: 'hold', why: 'a small raise waits for the cooldown' };
  }
  return { floor, change: 'raise', why: `up from ${current}` };
}

function lower(cycle: Cycle, current: number, highestWant: number): Move {
  const { before, measured, configuration, nowMs } = cycle;
  const hold = (why: string): Move => ({ floor: current, change: 'hold', why });
  const have = Math.max(current, measured.tasks?.desired ?? current);
  if (have <= highestWant) return hold('as asked');
  const obstacle = shrinkObstacle(cycle);
  if (obstacle !== undefined) return hold(obstacle);
  const { stepSeconds, stepPercent, minimumStepTasks } = configuration.autoscaler.scaleIn;
  if (elapsedMs(before.tasks.loweredAtMs, nowMs) < stepSeconds * 1_000)
    return hold('between two steps');

  const step = Math.max(minimumStepTasks, Math.floor(have * (stepPercent / 100)));
  const to = Math.max(highestWant, have - step);
  const nudge = (measured.tasks?.desired ?? 0) > to;
  return {
    floor: Math.min(current, to),
    change: 'lower',
    nudgeDesiredTo: nudge ? to : undefined,
    why: `down from ${have}, no more than ${figure(highestWant)} asked for in ${configuration.autoscaler.scaleIn.holdSeconds} s`,
  };
}

function shrinkObstacle({
  snapshot,
  mayShrink,
  measured,
  configuration,
}: Cycle): string | undefined {
  const { scaleIn } = configuration.autoscaler;
  if (snapshot.freeze.scaleIn) return 'scaling in is frozen';
  if (!mayShrink) return `no ${scaleIn.holdSeconds} s of full telemetry yet`;
  if ((measured.queueDepth ?? 0) >= scaleIn.queueDepth)
    return `a queue of ${figure(measured.queueDepth ?? 0)} is too long to shrink`;
  if ((measured.waiting ?? 0) > 0 && (measured.latencyP99Ms ?? 0) >= scaleIn.latencyP99Ms)
    return `p99 of ${figure(measured.latencyP99Ms ?? 0)} ms with requests waiting is too slow to shrink`;
  return undefined;
}

/** Wants of the hold period, this one included; a raise by a native policy is a want like any other. */
function wantsWithin(
  { before, measured, configuration, nowMs }: Cycle,
  wanted: number,
): readonly Want[] {
  const sinceMs = nowMs - configuration.autoscaler.scaleIn.holdSeconds * 1_000;
  const kept = before.tasks.wants.filter((it) => it.atMs > sinceMs && it.atMs <= nowMs);
  const desired = measured.tasks?.desired ?? 0;
  const risen = desired > (before.tasks.lastDesired ?? 0) && desired > (before.tasks.floor ?? 0);
  return withWant(kept, { atMs: nowMs, tasks: risen ? Math.max(wanted, desired) : wanted });
}

function highestOf(wants: readonly Want[]): number {
  return wants.reduce((highest, it) => Math.max(highest, it.tasks), 0);
}

/** Smaller wants before a larger one can never be the largest again. */
function withWant(wants: readonly Want[], want: Want): readonly Want[] {
  return [...wants.filter((it) => it.tasks > want.tasks), want];
}

function largest(floors: readonly Floor[]): Floor {
  const [first = { kind: 'schedule', tasks: 0, reason: 'nothing asks' } as const, ...rest] = floors;
  return rest.reduce<Floor>((best, it) => (it.tasks > best.tasks ? it : best), first);
}

/** What MinCapacity decays to when nobody renews it: the calendar, not the load. */
function calendarFloor(floors: readonly Floor[], { scaling }: PlatformConfiguration): number {
  const calendar = floors.filter((it) => it.kind === 'schedule' || it.kind === 'event');
  return Math.min(scaling.maxTasks, Math.max(scaling.minTasks, ...calendar.map((it) => it.tasks)));
}

function reasonOf(move: Move, binding: Floor, wanted: number): string {
  const capped = wanted < binding.tasks ? `, capped at ${count(wanted, 'task')}` : '';
  return `${move.change} at ${move.floor} (${move.why}): ${binding.reason}${capped}`;
}

function elapsedMs(sinceMs: number | undefined, nowMs: number): number {
  return sinceMs === undefined ? Infinity : Math.max(0, nowMs - sinceMs);
}
