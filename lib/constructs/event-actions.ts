import {
  eventActionNames,
  occurrencesBetween,
  plannedCapacityAt,
  wallClock,
} from '@matsuri/contract';
import type {
  CalendarEvent,
  Occurrence,
  PlatformConfiguration,
  WeeklyEvent,
} from '@matsuri/contract';

/** A floor that AWS sets by itself, at one instant or again and again. */
export interface FloorAction {
  readonly name: string;
  /** `at(…)` or `cron(…)`, in the calendar's time zone. */
  readonly expression: string;
  readonly minTasks: number;
  /** Between these a recurring action is in force. */
  readonly fromMs?: number;
  readonly toMs?: number;
}

const YEAR_MS = 366 * 86_400_000;
const MINUTE_MS = 60_000;

/**
 * The calendar as scheduled actions, so that its floors hold although the autoscaler is dead: up before an event,
 * back after it, and held meanwhile, since the daily schedule goes on setting its own floors. Where several hold at
 * once, the higher is written later in the hour's half and so prevails. What is over is left out: AWS refuses the past.
 */
export function eventActions(
  platform: PlatformConfiguration,
  nowMs: number,
): readonly FloorAction[] {
  const { calendar } = platform;
  const dated = occurrencesBetween({ ...calendar, weekly: [] }, nowMs, nowMs + YEAR_MS);
  return [
    ...dated.flatMap((occurrence) => ofDated(platform, occurrence, nowMs)),
    ...calendar.weekly.flatMap((event) => ofWeekly(platform, event, nowMs)),
  ];
}

function ofDated(
  platform: PlatformConfiguration,
  { event, leadFromMs, endMs }: Occurrence,
  nowMs: number,
): FloorAction[] {
  const names = eventActionNames(event.name);
  const { timeZone } = platform.calendar;
  const once = (name: string, atMs: number): FloorAction => ({
    name,
    expression: `at(${localTime(atMs, timeZone)})`,
    minTasks: plannedCapacityAt(platform, atMs).minTasks,
  });
  return [
    ...(leadFromMs > nowMs ? [once(names.raise, leadFromMs)] : []),
    {
      name: `event-${event.name}-hold`,
      expression: `cron(${minutesOf(platform, event)} * * * ? *)`,
      minTasks: clamped(platform, event.tasks),
      ...(leadFromMs > nowMs && { fromMs: leadFromMs }),
      toMs: endMs,
    },
    once(names.back, endMs),
  ];
}

function ofWeekly(
  platform: PlatformConfiguration,
  event: WeeklyEvent,
  nowMs: number,
): FloorAction[] {
  const { timeZone } = platform.calendar;
  const names = eventActionNames(event.name);
  const next = nextOf(platform, event, nowMs);
  const minTasks = clamped(platform, event.tasks);
  const hours = hoursByDay(next, timeZone);
  return [
    { name: names.raise, expression: weeklyCron(next.leadFromMs, timeZone), minTasks },
    ...hours.map(({ day, first, last }) => ({
      name: `event-${event.name}-hold-${day.toLowerCase()}`,
      expression: `cron(${minutesOf(platform, event)} ${first}-${last} ? * ${day} *)`,
      minTasks,
    })),
    {
      name: names.back,
      expression: weeklyCron(next.endMs, timeZone),
      minTasks: ordinaryFloorAt(platform, next.endMs),
    },
  ];
}

/** Twice an hour, a minute later the higher the floor; the daily schedule sets its own on full and half hours. */
function minutesOf(
  { calendar }: PlatformConfiguration,
  event: CalendarEvent | WeeklyEvent,
): string {
  const floors = [...calendar.events, ...calendar.weekly].map(({ tasks }) => tasks);
  const ranks = [...new Set(floors)].sort((a, b) => a - b);
  const minute = 1 + ranks.indexOf(event.tasks);
  return `${minute},${minute + 30}`;
}

function clamped({ scaling }: PlatformConfiguration, tasks: number): number {
  return Math.min(scaling.maxTasks, Math.max(scaling.minTasks, tasks));
}

/** What the daily schedule asks for, whatever event there is this year. */
function ordinaryFloorAt(platform: PlatformConfiguration, atMs: number): number {
  const quiet = { ...platform, calendar: { ...platform.calendar, events: [], weekly: [] } };
  return plannedCapacityAt(quiet, atMs).minTasks;
}

function nextOf(
  { calendar }: PlatformConfiguration,
  event: WeeklyEvent,
  nowMs: number,
): Occurrence {
  const only = { ...calendar, events: [], weekly: [event] };
  const [next] = occurrencesBetween(only, nowMs, nowMs + 8 * 86_400_000);
  if (next === undefined) throw new Error(`${event.name} does not happen within a week`);
  return next;
}

interface HoursOfDay {
  readonly day: string;
  readonly first: number;
  readonly last: number;
}

/** The full hours that an occurrence covers, lead included, day by day. */
function hoursByDay({ leadFromMs, endMs }: Occurrence, timeZone: string): HoursOfDay[] {
  const days: HoursOfDay[] = [];
  for (let atMs = leadFromMs; atMs < endMs; atMs += 60 * MINUTE_MS) {
    const { weekday, hour } = wallClock(atMs, timeZone);
    const current = days.at(-1);
    if (current?.day === weekday) days[days.length - 1] = { ...current, last: hour };
    else days.push({ day: weekday, first: hour, last: hour });
  }
  return days;
}

function weeklyCron(atMs: number, timeZone: string): string {
  const { weekday, hour, minute } = wallClock(atMs, timeZone);
  return `cron(${minute} ${hour} ? * ${weekday} *)`;
}

function localTime(atMs: number, timeZone: string): string {
  const { year, month, day, hour, minute, second } = wallClock(atMs, timeZone);
  return new Date(Date.UTC(year, month - 1, day, hour, minute, second)).toISOString().slice(0, 19);
}
