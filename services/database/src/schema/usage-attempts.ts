import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  date,
  index,
  pgEnum,
  pgTable,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { microUsd, moment } from './column-types';

/**
 * `reserved` until the attempt ends; then `settled` (exact usage), `estimated` (counted by us, the model's own
 * figures never came) or `orphaned` (its process died: charged as reserved). `coalesced`: answered
 * by another request's attempt, costs nothing.
 */
export const attemptStatus = pgEnum('attempt_status', [
  'reserved',
  'settled',
  'estimated',
  'orphaned',
  'coalesced',
]);

const tokenCount = (name: string) => bigint(name, { mode: 'number' }).notNull().default(0);

/** The ledger: one row per upstream attempt, there before its first byte. */
export const usageAttempts = pgTable(
  'usage_attempts',
  {
    attemptId: uuid('attempt_id').primaryKey(),
    requestId: text('request_id').notNull(),
    tenantId: text('tenant_id').notNull(),
    userId: text('user_id').notNull(),
    /** `null`: the caller signed in another way than by a token. */
    tokenId: uuid('token_id'),
    requestedModel: text('requested_model').notNull(),
    servedModel: text('served_model').notNull(),
    region: text('region').notNull(),
    /** `on-demand`, or the ARN of a provisioned throughput. */
    target: text('target').notNull(),
    status: attemptStatus('status').notNull(),
    outcome: text('outcome'),
    reservedMicroUsd: microUsd('reserved_micro_usd').notNull(),
    costMicroUsd: microUsd('cost_micro_usd').notNull().default(0),
    inputTokens: tokenCount('input_tokens'),
    outputTokens: tokenCount('output_tokens'),
    cacheReadTokens: tokenCount('cache_read_tokens'),
    cacheWriteTokens: tokenCount('cache_write_tokens'),
    clientDisconnected: boolean('client_disconnected').notNull().default(false),
    /** The UTC day whose counters carry this attempt, whenever it settles. */
    spendDay: date('spend_day').notNull(),
    /** The process that must settle it; see `ledger_owners`. */
    ownerId: uuid('owner_id').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    settledAt: moment('settled_at'),
  },
  (table) => [
    index('usage_attempts_user_created_idx').on(table.userId, table.createdAt),
    index('usage_attempts_token_created_idx').on(table.tokenId, table.createdAt),
    index('usage_attempts_model_created_idx').on(table.servedModel, table.createdAt),
    index('usage_attempts_unsettled_idx')
      .on(table.ownerId, table.createdAt)
      .where(sql`status = 'reserved'`),
    // A few pages for the whole table: what bounds a report that names no user, token or model.
    index('usage_attempts_created_brin').using('brin', table.createdAt),
    check('usage_attempts_reserved_not_negative', sql`${table.reservedMicroUsd} >= 0`),
    check('usage_attempts_cost_not_negative', sql`${table.costMicroUsd} >= 0`),
  ],
);
