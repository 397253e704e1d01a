import { date, pgTable, uuid } from 'drizzle-orm/pg-core';
import { microUsd } from './column-types';

/**
 * What a line of tokens has spent and holds reserved, in the UTC day and month named by the row. One row,
 * so that both caps are judged and moved under one lock; the first reservation of a new day starts it at zero.
 * Past periods are in `usage_attempts`.
 */
export const spendCounters = pgTable('spend_counters', {
  accountId: uuid('account_id').primaryKey(),
  day: date('day').notNull(),
  daySpentMicroUsd: microUsd('day_spent_micro_usd').notNull().default(0),
  dayReservedMicroUsd: microUsd('day_reserved_micro_usd').notNull().default(0),
  /** The first day of the month. */
  month: date('month').notNull(),
  monthSpentMicroUsd: microUsd('month_spent_micro_usd').notNull().default(0),
  monthReservedMicroUsd: microUsd('month_reserved_micro_usd').notNull().default(0),
});
