import type { DatabasePool } from '@matsuri/database';
import type { Cluster } from './cluster';
import { eventually } from './eventually';

const AGE = `
WITH dead AS (
  UPDATE ledger_owners SET alive_until = now() - interval '1 second'
   WHERE instance_id IN (SELECT owner_id FROM usage_attempts WHERE status = 'reserved')
), steady AS (
  UPDATE ledger_owners SET beating_since = beating_since - interval '10 minutes'
   WHERE instance_id NOT IN (SELECT owner_id FROM usage_attempts WHERE status = 'reserved')
)
UPDATE usage_attempts SET created_at = created_at - interval '10 minutes' WHERE status = 'reserved'
`;

/**
 * Lets ten minutes pass in the database for those who wait for a dead process to be given up. Only for a cluster at
 * rest, where whoever still holds a reservation is dead.
 */
async function ageOrphans(pool: DatabasePool): Promise<void> {
  await pool.query({ text: AGE });
}

const LEASE_PATIENCE_MS = 240_000;
const SWEEP_PATIENCE_MS = 20_000;

/** Waits until what dead processes left has been settled, for real or with the database's clock put forward. */
export async function settleOrphans(cluster: Cluster, how: 'wait' | 'age'): Promise<void> {
  const { bedrock, pool } = cluster;
  await eventually('calls have ended', () => bedrock.overlap().running === 0).catch(ignore);
  if (how === 'age') {
    // Living processes settle their own first, or they would be taken for dead.
    await rowsSettled(cluster, LIVING_PATIENCE_MS);
    await ageOrphans(pool);
  }
  await rowsSettled(cluster, how === 'age' ? SWEEP_PATIENCE_MS : LEASE_PATIENCE_MS);
}

const LIVING_PATIENCE_MS = 3_000;

/** Waits until no row is reserved, for so long at most. What remains is the checker's business. */
export async function rowsSettled({ pool }: Cluster, patienceMs: number): Promise<void> {
  const text = `SELECT 1 FROM usage_attempts WHERE status = 'reserved' LIMIT 1`;
  const settled = async (): Promise<boolean> => (await pool.query({ text })).length === 0;
  await eventually('every row is settled', settled, patienceMs).catch(ignore);
}

function ignore(): undefined {
  return undefined;
}
