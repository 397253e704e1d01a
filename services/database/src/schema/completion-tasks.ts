import { sql } from 'drizzle-orm';
import { check, index, pgEnum, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { moment } from './column-types';

/**
 * `pending` until it ends, once: `completed` (there is a result), `failed` (there is an error) or `lost` (its process died
 * or never told).
 */
export const completionTaskStatus = pgEnum('completion_task_status', [
  'pending',
  'completed',
  'failed',
  'lost',
]);

/** Chat completions that are fetched later. What was asked is not kept, only what came of it, and not for long. */
export const completionTasks = pgTable(
  'completion_tasks',
  {
    taskId: uuid('task_id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    userId: text('user_id').notNull(),
    /** For the record: whoever has another token of the same user may fetch the result as well. */
    tokenId: uuid('token_id'),
    requestId: text('request_id').notNull(),
    requestedModel: text('requested_model').notNull(),
    status: completionTaskStatus('status').notNull(),
    /** The body of the answer. Text, not `jsonb`: it goes out as it came in, and may hold what `jsonb` refuses. */
    result: text('result'),
    /** Why there is none, as the owner wrote it. */
    error: text('error'),
    servedBy: text('served_by'),
    /** The process that must end it; see `ledger_owners`. Processes never share an id, so it is the epoch as well. */
    ownerId: uuid('owner_id').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** Nothing pends beyond it, whoever lives. */
    deadlineAt: moment('deadline_at').notNull(),
    finishedAt: moment('finished_at'),
    /** From here the row is not there any more; a sweep takes it away. */
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [
    index('completion_tasks_pending_idx')
      .on(table.createdAt)
      .where(sql`status = 'pending'`),
    index('completion_tasks_expires_idx').on(table.expiresAt),
    check(
      'completion_tasks_ended_once',
      sql`(${table.status} = 'completed') = (${table.result} IS NOT NULL) AND (${table.status} = 'failed') = (${table.error} IS NOT NULL) AND (${table.status} = 'pending') = (${table.finishedAt} IS NULL)`,
    ),
  ],
);
