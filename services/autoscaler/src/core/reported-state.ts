import { CHAT_ALIASES, type ChatAlias, type ScalingState } from '@matsuri/contract';
import type { CapacityPlan, TaskPlan } from './plan';
import type { Lane } from './state';
import type { Pressure } from './mitigation/pressure';
import type { Measured } from './telemetry';

export interface Reported {
  readonly state: ScalingState;
  readonly reason: string;
}

/** The one word for dashboards; an emergency outshines everything, an event only what it exceeds. */
export function reportedState(
  tasks: TaskPlan,
  capacity: Readonly<Record<ChatAlias, CapacityPlan>>,
  pressure: Readonly<Record<Lane, Pressure>>,
  measured: Measured,
): Reported {
  const emergencies = (['complex', 'simple', 'queue'] as const)
    .filter((lane) => pressure[lane].on === true)
    .map((lane) => pressure[lane].reason);
  if (emergencies.length > 0) return { state: 'emergency', reason: emergencies.join('; ') };

  const event = tasks.floors.find((it) => it.kind === 'event');
  const others = tasks.floors.filter((it) => it.kind !== 'event').map((it) => it.tasks);
  if (event !== undefined && event.tasks > Math.max(0, ...others)) {
    return { state: 'event_override', reason: event.reason };
  }
  const buying = CHAT_ALIASES.find((alias) => capacity[alias].pendingUnits > 0);
  const starting = (measured.tasks?.running ?? tasks.floor) < tasks.floor;
  if (tasks.change === 'raise' || starting) return { state: 'scaling_out', reason: tasks.reason };
  if (buying !== undefined) return { state: 'scaling_out', reason: capacity[buying].reason };
  if (tasks.change === 'lower') return { state: 'scaling_in', reason: tasks.reason };
  const draining = CHAT_ALIASES.find((alias) => capacity[alias].set?.some((it) => it.weight === 0));
  if (draining !== undefined) return { state: 'scaling_in', reason: capacity[draining].reason };
  return { state: 'stable', reason: tasks.reason };
}
