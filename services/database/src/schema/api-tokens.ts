import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { bytea, microUsd, moment } from './column-types';

/** API tokens: what each may do. The token itself is nowhere; only its keyed digest is. */
export const apiTokens = pgTable(
  'api_tokens',
  {
    id: uuid('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    userId: text('user_id').notNull(),
    name: text('name').notNull(),
    digest: bytea('digest').notNull(),
    pepperVersion: integer('pepper_version').notNull(),
    lastFour: text('last_four').notNull(),
    /** `null`: every model of the catalogue. */
    allowedModels: text('allowed_models').array(),
    /** `null`: no limit of its own. */
    rpm: integer('rpm'),
    tpm: integer('tpm'),
    dayCapMicroUsd: microUsd('day_cap_micro_usd'),
    monthCapMicroUsd: microUsd('month_cap_micro_usd'),
    /** The first token of the line: a rotated token goes on spending from the same counters. */
    spendAccountId: uuid('spend_account_id').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    expiresAt: moment('expires_at'),
    revokedAt: moment('revoked_at'),
    predecessorId: uuid('predecessor_id').references((): AnyPgColumn => apiTokens.id),
    /** Set on a token that was rotated: until then it and its successor both work. */
    overlapUntil: moment('overlap_until'),
  },
  (table) => [
    unique('api_tokens_digest_key').on(table.digest),
    // Two rotations at once cannot both leave a successor.
    unique('api_tokens_predecessor_key').on(table.predecessorId),
    index('api_tokens_tenant_created_idx').on(table.tenantId, table.createdAt, table.id),
    check('api_tokens_digest_is_sha256', sql`octet_length(${table.digest}) = 32`),
    check('api_tokens_day_cap_not_negative', sql`${table.dayCapMicroUsd} >= 0`),
    check('api_tokens_month_cap_not_negative', sql`${table.monthCapMicroUsd} >= 0`),
  ],
);
