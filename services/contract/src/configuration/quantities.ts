import { z } from 'zod';

/** A whole number of things there must be at least one of. */
export const positiveInteger = z.int().positive();

/** A whole number of things there may be none of. */
export const countSchema = z.int().nonnegative();

/** A figure that may be a fraction but not negative. */
export const amountSchema = z.number().nonnegative();

export const percentSchema = z.number().min(0).max(100);

/** A wall-clock minute, `HH:MM`. */
export const timeOfDaySchema = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be HH:MM');

/** One figure for each of the two chat aliases. */
export const perChatAlias = <T extends z.ZodType>(figure: T) =>
  z.strictObject({ complex: figure, simple: figure });
