/** A calendar day, months from 1. */
export interface CalendarDay {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** An AWS cron expression: minutes, hours, day of month, month, day of week (1 = Sunday), year. */
export interface CronExpression {
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  matchesDay(day: CalendarDay): boolean;
}

/** A schedule that AWS would refuse; the message says which field and why. */
export class ScheduleError extends Error {
  override readonly name = 'ScheduleError';
}

interface Field {
  readonly name: string;
  readonly low: number;
  readonly high: number;
  readonly words?: readonly string[];
}

const MINUTES: Field = { name: 'minutes', low: 0, high: 59 };
const HOURS: Field = { name: 'hours', low: 0, high: 23 };
const DAY_OF_MONTH: Field = { name: 'day-of-month', low: 1, high: 31 };
const MONTH: Field = {
  name: 'month',
  low: 1,
  high: 12,
  words: 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' '),
};
const DAY_OF_WEEK: Field = {
  name: 'day-of-week',
  low: 1,
  high: 7,
  words: 'SUN MON TUE WED THU FRI SAT'.split(' '),
};
const YEAR: Field = { name: 'year', low: 1970, high: 2199 };

export function parseCron(expression: string): CronExpression {
  const fields = expression.trim().split(/\s+/);
  const [minutes = '', hours = '', dayOfMonth = '', month = '', dayOfWeek = '', year = ''] = fields;
  if (fields.length !== 6) throw new ScheduleError(`cron needs six fields, got ${fields.length}`);
  if ((dayOfMonth === '?') === (dayOfWeek === '?')) {
    throw new ScheduleError('exactly one of day-of-month and day-of-week must be ?');
  }
  const months = listed(month, MONTH);
  const years = listed(year, YEAR);
  const fits = dayOfWeek === '?' ? monthDayRule(dayOfMonth) : weekDayRule(dayOfWeek);
  return {
    minutes: listed(minutes, MINUTES),
    hours: listed(hours, HOURS),
    matchesDay: (day) => years.includes(day.year) && months.includes(day.month) && fits(day),
  };
}

type DayRule = (day: CalendarDay) => boolean;

function monthDayRule(text: string): DayRule {
  if (text === 'L') return (day) => day.day === lastDay(day);
  const nearest = /^(\d+)W$/.exec(text)?.[1];
  if (nearest !== undefined) {
    const wanted = inRange(Number(nearest), DAY_OF_MONTH, text);
    return (day) => day.day === nearestWeekday(day, wanted);
  }
  const days = listed(text, DAY_OF_MONTH);
  return (day) => days.includes(day.day);
}

function weekDayRule(text: string): DayRule {
  const last = /^(\w+)L$/.exec(text)?.[1];
  if (last !== undefined) {
    const wanted = numberIn(last, DAY_OF_WEEK);
    return (day) => weekDay(day) === wanted && day.day > lastDay(day) - 7;
  }
  const [, name, nth] = /^(\w+)#([1-5])$/.exec(text) ?? [];
  if (name !== undefined) {
    const wanted = numberIn(name, DAY_OF_WEEK);
    return (day) => weekDay(day) === wanted && Math.ceil(day.day / 7) === Number(nth);
  }
  const days = listed(text === 'L' ? 'SAT' : text, DAY_OF_WEEK);
  return (day) => days.includes(weekDay(day));
}

/** The values a field lists: `*`, single values, ranges and steps, separated by commas. */
function listed(text: string, field: Field): number[] {
  const values = text.split(',').flatMap((part) => {
    const [range = '', stepText] = part.split('/');
    const step = stepText === undefined ? 1 : Number(stepText);
    if (!Number.isInteger(step) || step < 1) throw unreadable(part, field);
    const [low, high] = bounds(range, stepText !== undefined, field);
    return Array.from({ length: Math.floor((high - low) / step) + 1 }, (_, i) => low + i * step);
  });
  return [...new Set(values)].sort((a, b) => a - b);
}

function bounds(range: string, isStepped: boolean, field: Field): [number, number] {
  if (range === '*') return [field.low, field.high];
  const [from = '', to] = range.split('-');
  const low = numberIn(from, field);
  if (to !== undefined) {
    const high = numberIn(to, field);
    if (high < low) throw unreadable(range, field);
    return [low, high];
  }
  return [low, isStepped ? field.high : low];
}

function numberIn(text: string, field: Field): number {
  const word = field.words?.indexOf(text.toUpperCase()) ?? -1;
  if (word >= 0) return word + field.low;
  if (!/^\d+$/.test(text)) throw unreadable(text, field);
  return inRange(Number(text), field, text);
}

function inRange(value: number, field: Field, text: string): number {
  if (value < field.low || value > field.high) throw unreadable(text, field);
  return value;
}

function unreadable(text: string, field: Field): ScheduleError {
  return new ScheduleError(
    `${field.name}: cannot read "${text}" (allowed: ${field.low} to ${field.high})`,
  );
}

function weekDay({ year, month, day }: CalendarDay): number {
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 1;
}

function lastDay({ year, month }: CalendarDay): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

const SUNDAY = 1;
const SATURDAY = 7;

/** The weekday nearest to a day of the month, never in another month. */
function nearestWeekday({ year, month }: CalendarDay, wanted: number): number {
  const last = lastDay({ year, month, day: 1 });
  const day = Math.min(wanted, last);
  const onDay = weekDay({ year, month, day });
  if (onDay === SATURDAY) return day === 1 ? 3 : day - 1;
  if (onDay === SUNDAY) return day === last ? day - 2 : day + 1;
  return day;
}
