import { pgTable, uuid } from 'drizzle-orm/pg-core';
import { moment } from './column-types';

/** Processes that hold reservations. While one beats, nobody else settles its attempts, however old. */
export const ledgerOwners = pgTable('ledger_owners', {
  instanceId: uuid('instance_id').primaryKey(),
  aliveUntil: moment('alive_until').notNull(),
  /** Start of the unbroken run of beats: who was cut off itself may not judge others yet. */
  beatingSince: moment('beating_since').notNull(),
});
