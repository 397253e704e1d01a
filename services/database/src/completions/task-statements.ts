import type { QueryResultRow } from 'pg';
import type { DatabasePool } from '../pool/database-pool';
import type { CompletionTask, NewCompletionTask, TaskEnding } from './completion-task';

/** As much of a pool as tasks use: one statement at a time. */
export type TaskPool = Pick<DatabasePool, 'query'>;

export interface TaskTimes {
  /** A task pends no longer than this. */
  readonly maxPendingMs: number;
  /** An ended task can be fetched for so long. */
  readonly retentionMs: number;
  /** Lease of the processes in `ledger_owners`. */
  readonly leaseMs: number;
}

const BEGIN = `
INSERT INTO completion_tasks
       (task_id, tenant_id, user_id, token_id, request_id, requested_model, status, owner_id, deadline_at, expires_at)
SELECT n.task_id, n.tenant_id, n.user_id, n.token_id, n.request_id, n.requested_model, 'pending', $7,
       now() + $8 * interval '1 millisecond', now() + ($8 + $9) * interval '1 millisecond'
  FROM unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[], $5::text[], $6::text[])
       AS n (task_id, tenant_id, user_id, token_id, request_id, requested_model)
    ON CONFLICT (task_id) DO NOTHING
`;

// Only what pends can end: whoever comes second changes nothing.
const FINISH = `
UPDATE completion_tasks t
   SET status = e.status::completion_task_status, result = e.result, error = e.error, served_by = e.served_by,
       finished_at = now(), expires_at = now() + $7 * interval '1 millisecond'
  FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[])
       AS e (task_id, status, result, error, served_by)
 WHERE t.task_id = e.task_id AND t.owner_id = $6 AND t.status = 'pending'
RETURNING t.task_id
`;

const FIND = `
SELECT t.task_id, t.tenant_id, t.user_id, t.requested_model, t.status::text, t.result, t.error, t.served_by,
       t.created_at, t.expires_at,
       t.status = 'pending' AND (t.deadline_at <= now() OR o.alive_until IS NULL OR o.alive_until <= now()) AS doubtful
  FROM completion_tasks t LEFT JOIN ledger_owners o ON o.instance_id = t.owner_id
 WHERE t.task_id = ANY ($1::uuid[]) AND t.expires_at > now()
`;

/**
 * Ends what nobody will end any more. That its process is dead may only be judged by one that has itself been beating for
 * a whole lease: after an outage everybody's lease has lapsed, and the living need a moment to say so.
 */
const LOSE = `
UPDATE completion_tasks t
   SET status = 'lost', finished_at = now()
 WHERE t.status = 'pending'
   AND ($3::uuid[] IS NULL OR t.task_id = ANY ($3::uuid[]))
   AND (t.deadline_at <= now()
        OR (t.created_at <= now() - $2 * interval '1 millisecond'
            AND NOT EXISTS (SELECT FROM ledger_owners o
                             WHERE o.instance_id = t.owner_id AND o.alive_until > now())
            AND EXISTS (SELECT FROM ledger_owners me
                         WHERE me.instance_id = $1 AND me.alive_until > now()
                           AND me.beating_since <= now() - $2 * interval '1 millisecond')))
RETURNING t.task_id
`;

const REMOVE_CHUNK = 500;
const REMOVE = `
DELETE FROM completion_tasks
 WHERE task_id IN (SELECT task_id FROM completion_tasks WHERE expires_at <= now()
                    LIMIT ${REMOVE_CHUNK} FOR UPDATE SKIP LOCKED)
RETURNING task_id
`;

interface TaskRow extends QueryResultRow {
  readonly task_id: string;
  readonly tenant_id: string;
  readonly user_id: string;
  readonly requested_model: string;
  readonly status: string;
  readonly result: string | null;
  readonly error: string | null;
  readonly served_by: string | null;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly doubtful: boolean;
}

/** A task and to whom it may be shown. */
export interface FoundTask {
  readonly tenantId: string;
  readonly userId: string;
  readonly task: CompletionTask;
}

/** What one process writes and reads, a batch per statement. */
export function taskStatements(pool: TaskPool, ownerId: string, times: TaskTimes) {
  const { maxPendingMs, retentionMs, leaseMs } = times;

  const lose = async (taskIds: readonly string[] | null): Promise<ReadonlySet<string>> => {
    return idsOf(await pool.query({ text: LOSE, values: [ownerId, leaseMs, taskIds] }));
  };

  return {
    async begin(tasks: readonly NewCompletionTask[]): Promise<void> {
      const values = [
        tasks.map(({ taskId }) => taskId),
        tasks.map(({ tenantId }) => tenantId),
        tasks.map(({ userId }) => userId),
        tasks.map(({ tokenId }) => tokenId),
        tasks.map(({ requestId }) => requestId),
        tasks.map(({ requestedModel }) => requestedModel),
        ownerId,
        maxPendingMs,
        retentionMs,
      ];
      await pool.query({ text: BEGIN, values });
    },

    /** The ids of those that pended until now. */
    async finish(
      endings: readonly { readonly taskId: string; readonly ending: TaskEnding }[],
    ): Promise<ReadonlySet<string>> {
      const values = [
        endings.map(({ taskId }) => taskId),
        endings.map(({ ending }) => ending.status),
        endings.map(({ ending }) => (ending.status === 'completed' ? ending.result : null)),
        endings.map(({ ending }) => (ending.status === 'failed' ? ending.error : null)),
        endings.map(({ ending }) => (ending.status === 'completed' ? ending.servedBy : null)),
        ownerId,
        retentionMs,
      ];
      return idsOf(await pool.query({ text: FINISH, values }));
    },

    async find(taskIds: readonly string[]): Promise<ReadonlyMap<string, FoundTask>> {
      const rows = await pool.query<TaskRow>({ text: FIND, values: [taskIds] });
      const doubtful = rows.filter((row) => row.doubtful).map((row) => row.task_id);
      const lost = doubtful.length > 0 ? await lose(doubtful) : new Set<string>();
      return new Map(rows.map((row) => [row.task_id, foundTask(row, lost.has(row.task_id))]));
    },

    loseAll: async () => (await lose(null)).size,

    async removeExpired(): Promise<number> {
      let removed = 0;
      for (;;) {
        const { size } = idsOf(await pool.query({ text: REMOVE }));
        removed += size;
        if (size < REMOVE_CHUNK) return removed;
      }
    },
  };
}

function idsOf(rows: readonly QueryResultRow[]): ReadonlySet<string> {
  return new Set(rows.map((row) => String(row['task_id'])));
}

function foundTask(row: TaskRow, lostNow: boolean): FoundTask {
  const facts = {
    taskId: row.task_id,
    requestedModel: row.requested_model,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
  const ending = lostNow ? ({ status: 'lost' } as const) : endingOf(row);
  return { tenantId: row.tenant_id, userId: row.user_id, task: { ...facts, ...ending } };
}

function endingOf({ status, result, error, served_by }: TaskRow) {
  if (status === 'completed') {
    return { status, result: result ?? '', servedBy: served_by ?? '' } as const;
  }
  if (status === 'failed') return { status, error: error ?? '' } as const;
  return { status: status === 'pending' ? status : 'lost' } as const;
}
