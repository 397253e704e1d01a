import { z } from 'zod';
import type { DeepReadonly } from '../configuration/deep';
import {
  amountSchema,
  countSchema,
  perChatAlias,
  positiveInteger,
  timeOfDaySchema,
} from '../configuration/quantities';
import { weekdaySchema } from '../scaling/profile';

export const HOUR_SECONDS = 3_600;

const eventCapacitySchema = z.strictObject({
  /** Lasting all day, or arriving at once. */
  class: z.enum(['sustained', 'burst']),
  /** Traffic against an ordinary day. */
  multiplier: z.number().positive(),
  /** How long before the start its floors hold. */
  leadSeconds: countSchema,
  tasks: positiveInteger,
  units: perChatAlias(countSchema),
});

/**
 * An event of the year. Its times are ISO 8601 with an offset; one without would mean a different moment
 * on every machine, so a truth check refuses it and readers of the calendar drop it.
 */
const calendarEventSchema = eventCapacitySchema.extend({
  name: z.string().regex(/^[a-z0-9_]+$/, 'must be lower case with underscores'),
  start: z.iso.datetime({ offset: true, local: true }),
  end: z.iso.datetime({ offset: true, local: true }),
});

/** An event of every week, in the calendar's time zone. */
const weeklyEventSchema = eventCapacitySchema.extend({
  name: z.string().regex(/^[a-z0-9_]+$/, 'must be lower case with underscores'),
  weekday: weekdaySchema,
  at: timeOfDaySchema,
  durationSeconds: positiveInteger,
});

export const calendarSchema = z.strictObject({
  timeZone: z.string().min(1),
  events: z.array(calendarEventSchema),
  weekly: z.array(weeklyEventSchema),
});

/** What a release does to traffic within its first minute. */
export const releaseStepSchema = z.strictObject({
  requestFactor: amountSchema,
  withinSeconds: positiveInteger,
  complexShareFactor: amountSchema,
  tokenFactor: amountSchema,
  /** Requests × model share × tokens are not independent: demand lies between these. */
  demandFactor: z.strictObject({ low: amountSchema, high: amountSchema }),
});

export type Calendar = DeepReadonly<z.output<typeof calendarSchema>>;
export type CalendarEvent = DeepReadonly<z.output<typeof calendarEventSchema>>;
export type WeeklyEvent = DeepReadonly<z.output<typeof weeklyEventSchema>>;
