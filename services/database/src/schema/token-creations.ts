import { pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { bytea, moment } from './column-types';

/** Which token a caller's idempotency key stands for, within its tenant: a request that is sent again makes no second one. */
export const tokenCreations = pgTable(
  'token_creations',
  {
    tenantId: text('tenant_id').notNull(),
    idempotencyKey: text('idempotency_key').notNull(),
    /** What was asked for, so that a key used for something else is noticed. */
    requestDigest: bytea('request_digest').notNull(),
    tokenId: uuid('token_id').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.idempotencyKey] })],
);
