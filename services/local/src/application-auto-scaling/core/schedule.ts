import { parseCron, ScheduleError } from './cron-expression';
import type { CalendarDay, CronExpression } from './cron-expression';
import { instantOf, wallTime } from './zoned-time';

/** When a scheduled action runs. */
export type Schedule =
  | { readonly kind: 'at'; readonly atMs: number }
  | { readonly kind: 'rate'; readonly everyMs: number }
  | { readonly kind: 'cron'; readonly cron: CronExpression; readonly zone: string };

const UNITS_MS: Readonly<Record<string, number>> = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
};

/** Reads `at(...)`, `rate(...)` or `cron(...)`; times without a zone are of the given one. */
export function parseSchedule(text: string, zone: string): Schedule {
  const [, kind, inner = ''] = /^(at|rate|cron)\((.+)\)$/.exec(text.trim()) ?? [];
  if (kind === 'at') return { kind, atMs: parseAt(inner, zone) };
  if (kind === 'rate') return { kind, everyMs: parseRate(inner) };
  if (kind === 'cron') return { kind, cron: parseCron(inner), zone };
  throw new ScheduleError(`"${text}" is none of at(...), rate(...) and cron(...)`);
}

/** The first run after an instant; undefined when there is none. `anchorMs` is where rates begin. */
export function nextRun(schedule: Schedule, afterMs: number, anchorMs: number): number | undefined {
  switch (schedule.kind) {
    case 'at':
      return schedule.atMs > afterMs ? schedule.atMs : undefined;
    case 'rate': {
      const runs = Math.floor((afterMs - anchorMs) / schedule.everyMs) + 1;
      return anchorMs + Math.max(runs, 1) * schedule.everyMs;
    }
    case 'cron':
      return nextCron(schedule.cron, schedule.zone, afterMs);
  }
}

const DAY_MS = 86_400_000;
// A 29 February on a given weekday may be 40 years away.
const FURTHEST_DAYS = 366 * 41;

function nextCron(cron: CronExpression, zone: string, afterMs: number): number | undefined {
  const today = wallTime(afterMs, zone);
  const firstDay = Date.UTC(today.year, today.month - 1, today.day);
  for (let offset = 0; offset <= FURTHEST_DAYS; offset += 1) {
    const date = new Date(firstDay + offset * DAY_MS);
    const day = {
      year: date.getUTCFullYear(),
      month: date.getUTCMonth() + 1,
      day: date.getUTCDate(),
    };
    const found = cron.matchesDay(day) ? firstRunOn(day, cron, zone, afterMs) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function firstRunOn(
  day: CalendarDay,
  cron: CronExpression,
  zone: string,
  afterMs: number,
): number | undefined {
  for (const hour of cron.hours) {
    for (const minute of cron.minutes) {
      const atMs = instantOf({ ...day, hour, minute, second: 0 }, zone);
      if (atMs !== undefined && atMs > afterMs) return atMs;
    }
  }
  return undefined;
}

function parseAt(text: string, zone: string): number {
  const match = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2}))?$/.exec(text.trim());
  if (match === null) throw new ScheduleError(`at: "${text}" is not yyyy-mm-ddThh:mm:ss`);
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map((part: string | undefined) => Number(part ?? 0));
  const atMs = instantOf({ year, month, day, hour, minute, second }, zone);
  if (atMs === undefined) throw new ScheduleError(`at: "${text}" does not exist in ${zone}`);
  return atMs;
}

function parseRate(text: string): number {
  const [, count, unit = ''] = /^(\d+) (minute|hour|day)s?$/.exec(text.trim()) ?? [];
  const unitMs = UNITS_MS[unit];
  if (unitMs === undefined || Number(count) < 1) {
    throw new ScheduleError(`rate: "${text}" is not <value> <minutes | hours | days>`);
  }
  return Number(count) * unitMs;
}
