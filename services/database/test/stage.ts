import { freshDatabase, postgres } from '@matsuri/local';
import type { RunningPostgres } from '@matsuri/local';
import { createApiTokenRepository, createLedger, createPool, migrate } from '../src';
import type { ApiTokenRepository, DatabasePool, Ledger, LedgerOptions, PoolOptions } from '../src';
import { aPepperRing } from './fixtures';

/** A migrated database of a suite's own, and everything opened on it closed in the end. */
export interface Stage {
  readonly url: string;
  /** A pool for looking at the tables. */
  readonly pool: DatabasePool;
  readonly tokens: ApiTokenRepository;
  openPool(options?: Partial<PoolOptions>): DatabasePool;
  openLedger(options?: Partial<LedgerOptions> & { url?: string }): Ledger;
  close(): Promise<void>;
}

/** @param server a server of the suite's own, if it means to hurt it */
export async function setStage(server?: RunningPostgres): Promise<Stage> {
  const database = server ? await freshDatabase(server.url) : await postgres();
  await migrate(database.url);
  const closers: (() => Promise<unknown>)[] = [];

  const openPool = (options: Partial<PoolOptions> = {}): DatabasePool => {
    const pool = createPool({
      url: database.url,
      applicationName: 'database-test',
      maxConnections: 3,
      ...options,
    });
    closers.push(() => pool.close());
    return pool;
  };
  const pool = openPool();
  return {
    url: database.url,
    pool,
    tokens: createApiTokenRepository(pool, aPepperRing()),
    openPool,
    openLedger({ url, ...options } = {}) {
      const ledger = createLedger({ pool: openPool(url === undefined ? {} : { url }), ...options });
      closers.push(() => ledger.close(500));
      return ledger;
    },
    async close() {
      for (const close of closers.toReversed()) await close();
      if (!server) await database.close();
    },
  };
}

/** The counters of a token's line. */
export async function counters(pool: DatabasePool, accountId: string) {
  const [row] = await pool.query<
    Record<'day_used' | 'day_reserved' | 'day_spent' | 'month_spent' | 'month_reserved', number>
  >({
    text: `SELECT (day_spent_micro_usd + day_reserved_micro_usd)::int AS day_used,
                  day_spent_micro_usd::int AS day_spent, day_reserved_micro_usd::int AS day_reserved,
                  month_spent_micro_usd::int AS month_spent, month_reserved_micro_usd::int AS month_reserved
             FROM spend_counters WHERE account_id = $1`,
    values: [accountId],
  });
  if (row === undefined) throw new Error('No counters');
  return row;
}

/** The ledger's row of an attempt. */
export async function attemptRow(pool: DatabasePool, attemptId: string) {
  const [row] = await pool.query<{ status: string; outcome: string | null; cost: number }>({
    text: `SELECT status, outcome, cost_micro_usd::int AS cost FROM usage_attempts WHERE attempt_id = $1`,
    values: [attemptId],
  });
  return row;
}
