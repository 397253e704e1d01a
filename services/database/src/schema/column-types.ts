import { bigint, customType, timestamp } from 'drizzle-orm/pg-core';

/** Raw bytes. */
export const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/**
 * Money: whole micro-dollars, never a float. A JavaScript number holds nine billion dollars of them
 * exactly, so the rows are read as numbers.
 */
export const microUsd = (name: string) => bigint(name, { mode: 'number' });

/** A moment, to the millisecond: exactly what a `Date` can hold, so a page cursor loses nothing. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });
