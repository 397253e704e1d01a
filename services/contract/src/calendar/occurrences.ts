import { WEEKDAYS } from '../scaling/profile';
import type { Calendar, CalendarEvent, WeeklyEvent } from './calendar-schema';
import { instantOf } from './instants';
import { instantOfLocal, minuteOfTime, offsetMinutes } from './wall-clock';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** 1970-01-04 was a Sunday. */
const FIRST_SUNDAY_MS = 3 * DAY_MS;

/** One happening of an event, in instants. */
export interface Occurrence {
  readonly event: CalendarEvent | WeeklyEvent;
  /** From here its floors hold. */
  readonly leadFromMs: number;
  readonly startMs: number;
  readonly endMs: number;
}

/** Everything of the calendar whose lead or run touches the period. Entries without an offset are dropped. */
export function occurrencesBetween(
  calendar: Calendar,
  fromMs: number,
  toMs: number,
): readonly Occurrence[] {
  const all = [
    ...calendar.events.flatMap(ofDatedEvent),
    ...calendar.weekly.flatMap((event) => ofWeeklyEvent(event, calendar.timeZone, fromMs, toMs)),
  ];
  return all.filter((it) => it.leadFromMs < toMs && it.endMs > fromMs);
}

/** Entries whose times carry no offset, or that end before they start: nobody prepares for them. */
export function unusableEvents(calendar: Calendar): readonly string[] {
  return calendar.events.filter((event) => ofDatedEvent(event).length === 0).map((it) => it.name);
}

function ofDatedEvent(event: CalendarEvent): Occurrence[] {
  const startMs = instantOf(event.start);
  const endMs = instantOf(event.end);
  if (startMs === undefined || endMs === undefined || endMs <= startMs) return [];
  return [{ event, startMs, endMs, leadFromMs: startMs - event.leadSeconds * 1_000 }];
}

function ofWeeklyEvent(
  event: WeeklyEvent,
  timeZone: string,
  fromMs: number,
  toMs: number,
): Occurrence[] {
  const reachMs = (event.leadSeconds + event.durationSeconds) * 1_000;
  const first = localSundayBefore(fromMs - reachMs, timeZone);
  const weeks = Math.ceil((toMs + reachMs - fromMs) / WEEK_MS) + 2;
  return Array.from({ length: weeks }, (_, week) =>
    inWeek(event, timeZone, first + week * WEEK_MS),
  );
}

function inWeek(event: WeeklyEvent, timeZone: string, localSundayMs: number): Occurrence {
  const dayMs = WEEKDAYS.indexOf(event.weekday) * DAY_MS;
  const localMs = localSundayMs + dayMs + minuteOfTime(event.at) * MINUTE_MS;
  const startMs = instantOfLocal(localMs, timeZone);
  return {
    event,
    startMs,
    endMs: startMs + event.durationSeconds * 1_000,
    leadFromMs: startMs - event.leadSeconds * 1_000,
  };
}

/** Sunday 00:00 of the local week, as if local time were UTC. */
function localSundayBefore(epochMs: number, timeZone: string): number {
  const localMs = epochMs + offsetMinutes(epochMs, timeZone) * MINUTE_MS;
  return Math.floor((localMs - FIRST_SUNDAY_MS) / WEEK_MS) * WEEK_MS + FIRST_SUNDAY_MS;
}
