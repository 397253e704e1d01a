import type { Occurrence, PlatformConfiguration } from '@matsuri/contract';
import type { Floor } from '../plan';
import { eventsAt } from '../planned';
import { count, moment } from '../wording';

/** What events ask for, from their lead time on. Overlapping events give their maximum. */
export function eventFloor(configuration: PlatformConfiguration, nowMs: number): Floor | undefined {
  const events = eventsAt(configuration, nowMs);
  const [first, ...rest] = events;
  if (first === undefined) return undefined;
  const largest = rest.reduce((best, it) => (it.event.tasks > best.event.tasks ? it : best), first);
  const others = events.length === 1 ? '' : `, the most of ${events.length} events`;
  return {
    kind: 'event',
    tasks: largest.event.tasks,
    reason: `event '${largest.event.name}' ${when(largest, configuration, nowMs)} keeps ${count(largest.event.tasks, 'task')}${others}`,
  };
}

function when(
  { startMs, endMs }: Occurrence,
  { calendar }: PlatformConfiguration,
  nowMs: number,
): string {
  return nowMs < startMs
    ? `starts ${moment(startMs, calendar.timeZone)}`
    : `runs until ${moment(endMs, calendar.timeZone)}`;
}
