import type { PlatformConfiguration } from '@matsuri/contract';
import type { Floor } from '../plan';
import type { EmergencyState } from '../state';
import type { Measured } from '../telemetry';
import { count, figure } from '../wording';

export interface Emergency {
  readonly floor?: Floor;
  readonly state?: EmergencyState | undefined;
}

/** Whether a task's queue is so long that its users will be refused; undefined where nobody knows. */
export function queueIsEmergency(
  { queueDepth }: Measured,
  { autoscaler }: PlatformConfiguration,
): boolean | undefined {
  return queueDepth === undefined ? undefined : queueDepth >= autoscaler.emergency.queueDepth;
}

/**
 * A target fixed when the emergency begins: what there is and so many more. Only when all that was ordered runs, the
 * cooldown is over and the queue is still there, the next target is set; cycles alone add nothing.
 */
export function emergencyFloor(
  held: EmergencyState | undefined,
  measured: Measured,
  haveTasks: number,
  configuration: PlatformConfiguration,
  nowMs: number,
): Emergency {
  const pressed = queueIsEmergency(measured, configuration);
  // Blind: the target is kept in mind, and the floor it led to holds by itself.
  if (pressed === undefined) return { state: held };
  if (!pressed || tasksWouldNotHelp(measured, configuration)) return {};

  const { addTasks } = configuration.autoscaler.emergency;
  const capped = (tasks: number) => Math.min(configuration.scaling.maxTasks, tasks);
  const state =
    held === undefined || mayGrow(held, measured, haveTasks, configuration, nowMs)
      ? { target: capped(Math.max(haveTasks, held?.target ?? 0) + addTasks), setAtMs: nowMs }
      : held;
  const reason =
    `queue of ${figure(measured.queueDepth ?? 0)} (emergency from ${configuration.autoscaler.emergency.queueDepth}): ` +
    `${count(state.target, 'task')}, ${addTasks} above what there was`;
  return { state, floor: { kind: 'emergency', tasks: state.target, reason } };
}

function mayGrow(
  held: EmergencyState,
  { tasks }: Measured,
  haveTasks: number,
  { autoscaler }: PlatformConfiguration,
  nowMs: number,
): boolean {
  if (tasks === undefined) return false;
  const cooled = nowMs - held.setAtMs >= autoscaler.scaleOut.cooldownSeconds * 1_000;
  return cooled && tasks.running >= Math.max(held.target, haveTasks);
}

/** Throttled, with slots to spare: the queue waits for tokens, and more callers get no more of them. */
function tasksWouldNotHelp(
  { models, inFlight, tasks }: Measured,
  { gateway, autoscaler }: PlatformConfiguration,
): boolean {
  const throttles = (models.complex.throttles ?? 0) + (models.simple.throttles ?? 0);
  if (throttles < autoscaler.emergency.throttles) return false;
  if (inFlight === undefined || tasks === undefined) return false;
  const slots = tasks.running * gateway.slotsPerTask;
  return inFlight < slots * (autoscaler.scaleOut.utilisationPercent / 100);
}
