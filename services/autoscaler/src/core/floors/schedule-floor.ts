import type { PlatformConfiguration } from '@matsuri/contract';
import type { Floor } from '../plan';
import { scheduleAt } from '../planned';
import { count } from '../wording';

/** What the time of day and the weekday ask for. */
export function scheduleFloor(configuration: PlatformConfiguration, nowMs: number): Floor {
  const { name, tasks } = scheduleAt(configuration, nowMs);
  return { kind: 'schedule', tasks, reason: `schedule '${name}' keeps ${count(tasks, 'task')}` };
}
