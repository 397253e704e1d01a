import type { PlatformConfiguration } from '../configuration/platform';
import type { ProvisionedWindow } from '../configuration/provisioned';
import type { ScheduledFloor } from '../scaling/profile';
import { occurrencesBetween, type Occurrence } from './occurrences';
import { minuteOfDay, minuteOfTime, minuteOfWeek, wallClock } from './wall-clock';

const WEEK_MINUTES = 7 * 1_440;

/** The scheduled floor in force: the one set last. Undefined where there is no schedule. */
export function scheduledFloorAt(
  schedule: readonly ScheduledFloor[],
  epochMs: number,
): ScheduledFloor | undefined {
  const byAge = schedule
    .map((floor) => ({ floor, ageMinutes: minutesSince(floor, epochMs) }))
    .sort((a, b) => a.ageMinutes - b.ageMinutes);
  return byAge[0]?.floor;
}

/** The provisioned window in force; undefined in a gap. */
export function provisionedWindowAt(
  windows: readonly ProvisionedWindow[],
  epochMs: number,
  timeZone: string,
): ProvisionedWindow | undefined {
  const minute = minuteOfDay(wallClock(epochMs, timeZone));
  return windows.find((window) => covers(window, minute));
}

/** The events whose floors are in force, lead time included. */
export function eventsInForceAt(
  calendar: PlatformConfiguration['calendar'],
  epochMs: number,
): readonly Occurrence[] {
  return occurrencesBetween(calendar, epochMs, epochMs + 1);
}

/** What the calendar and the clock alone ask for at an instant. */
export interface PlannedCapacity {
  readonly minTasks: number;
  readonly units: { readonly complex: number; readonly simple: number };
  /** Traffic against an ordinary day; 1 outside events. The lead time does not count. */
  readonly multiplier: number;
  /** Names of what asked, for a person to read. */
  readonly because: readonly string[];
}

/** Schedule, window and events together: overlapping ones give their maximum, clamped to the limits. */
export function plannedCapacityAt(
  configuration: PlatformConfiguration,
  epochMs: number,
): PlannedCapacity {
  const { scaling, calendar, provisioned } = configuration;
  const scheduled = scheduledFloorAt(scaling.schedule, epochMs);
  const window = provisionedWindowAt(provisioned.windows, epochMs, calendar.timeZone);
  const events = eventsInForceAt(calendar, epochMs);
  const running = events.filter((it) => it.startMs <= epochMs);

  const tasks = [scaling.minTasks, scheduled?.minTasks ?? 0, ...events.map((it) => it.event.tasks)];
  return {
    minTasks: Math.min(scaling.maxTasks, Math.max(...tasks)),
    units: {
      complex: highestUnits(configuration, 'complex', window, events),
      simple: highestUnits(configuration, 'simple', window, events),
    },
    multiplier: Math.max(1, ...running.map((it) => it.event.multiplier)),
    because: [scheduled?.name ?? 'minimum', ...events.map((it) => it.event.name)],
  };
}

function highestUnits(
  configuration: PlatformConfiguration,
  alias: 'complex' | 'simple',
  window: ProvisionedWindow | undefined,
  events: readonly Occurrence[],
): number {
  const wanted = [window?.units[alias] ?? 0, ...events.map((it) => it.event.units[alias])];
  return Math.min(configuration.provisioned.maxUnits[alias], Math.max(...wanted));
}

function minutesSince(floor: ScheduledFloor, epochMs: number): number {
  const now = minuteOfWeek(wallClock(epochMs, floor.timeZone ?? 'UTC'));
  const [hour = 0, minute = 0] = floor.at.split(':').map(Number);
  const ages = floor.days.map((weekday) => {
    const set = minuteOfWeek({ weekday, hour, minute });
    return (now - set + WEEK_MINUTES) % WEEK_MINUTES;
  });
  return Math.min(...ages);
}

function covers(window: ProvisionedWindow, minute: number): boolean {
  const from = minuteOfTime(window.from);
  const to = minuteOfTime(window.to);
  return from < to ? minute >= from && minute < to : minute >= from || minute < to;
}
