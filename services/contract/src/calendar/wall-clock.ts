import { WEEKDAYS, type Weekday } from '../scaling/profile';

/** What a clock on the wall in some zone shows at an instant. */
export interface WallClock {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  readonly weekday: Weekday;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;

/** Zones that have kept one offset since 1952; asking `Intl` costs a thousand times more. */
const FIXED_OFFSET_MINUTES: ReadonlyMap<string, number> = new Map([
  ['Asia/Tokyo', 540],
  ['UTC', 0],
]);

/** The wall clock of `timeZone` (IANA) at an instant. */
export function wallClock(epochMs: number, timeZone: string): WallClock {
  return shownByUtc(epochMs + offsetMinutes(epochMs, timeZone) * MINUTE_MS);
}

/** Minutes since local midnight. */
export function minuteOfDay(clock: Pick<WallClock, 'hour' | 'minute'>): number {
  return clock.hour * 60 + clock.minute;
}

/** Minutes since local Sunday 00:00. */
export function minuteOfWeek(clock: Pick<WallClock, 'weekday' | 'hour' | 'minute'>): number {
  return WEEKDAYS.indexOf(clock.weekday) * DAY_MINUTES + minuteOfDay(clock);
}

/** `HH:MM` as minutes since midnight. */
export function minuteOfTime(timeOfDay: string): number {
  const [hour, minute] = timeOfDay.split(':');
  return Number(hour) * 60 + Number(minute);
}

/**
 * The instant at which a wall clock shows the given local time, itself given as if it were UTC. In the
 * hour that is skipped in spring the later reading is meant, in the one that is repeated the earlier.
 */
export function instantOfLocal(localAsUtcMs: number, timeZone: string): number {
  const guess = localAsUtcMs - offsetMinutes(localAsUtcMs, timeZone) * MINUTE_MS;
  return localAsUtcMs - offsetMinutes(guess, timeZone) * MINUTE_MS;
}

/** Local time east of UTC at an instant. */
export function offsetMinutes(epochMs: number, timeZone: string): number {
  return FIXED_OFFSET_MINUTES.get(timeZone) ?? offsetByIntl(epochMs, timeZone);
}

function shownByUtc(shiftedMs: number): WallClock {
  const date = new Date(shiftedMs);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    weekday: WEEKDAYS[date.getUTCDay()] ?? 'SUN',
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
  };
}

/** Building a formatter costs more than all its uses. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  formatters.set(timeZone, made);
  return made;
}

function offsetByIntl(epochMs: number, timeZone: string): number {
  const name = formatterOf(timeZone)
    .formatToParts(epochMs)
    .find((part) => part.type === 'timeZoneName')?.value;
  const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(name ?? '') ?? [];
  const magnitude = Number(hours ?? 0) * 60 + Number(minutes ?? 0);
  return sign === '-' ? -magnitude : magnitude;
}
