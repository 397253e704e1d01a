import type { RunStatement } from '../pool/database-pool';
import { NO_USAGE } from './attempt';
import { writeSettlements } from './batch-writes';
import type { LedgerPool } from './batch-writes';
import type { SettleItem } from './settle-statement';

/** `skipped` says why nothing was looked at. */
export interface SweepResult {
  readonly swept: number;
  readonly skipped?: 'another-sweep-runs' | 'not-steady';
}

export interface SweepOptions {
  readonly pool: LedgerPool;
  readonly instanceId: string;
  readonly leaseMs: number;
  readonly olderThanMs: number;
}

interface OrphanRow {
  readonly attempt_id: string;
  readonly reserved: string;
}

const LOCK_KEY = 7_233_118_502;
const CHUNK = 500;

const STEADY = `
SELECT 1 AS steady FROM ledger_owners
 WHERE instance_id = $1 AND alive_until > now()
   AND beating_since <= now() - $2 * interval '1 millisecond'
`;

const ORPHANS = `
SELECT a.attempt_id, a.reserved_micro_usd AS reserved
  FROM usage_attempts a
 WHERE a.status = 'reserved'
   AND a.created_at < now() - $1 * interval '1 millisecond'
   AND NOT EXISTS (SELECT FROM ledger_owners o
                    WHERE o.instance_id = a.owner_id AND o.alive_until > now())
 ORDER BY a.attempt_id
 LIMIT ${CHUNK}
   FOR UPDATE OF a SKIP LOCKED
`;

const FORGET_OWNERS = `
DELETE FROM ledger_owners o
 WHERE o.alive_until < now() - interval '1 day'
   AND NOT EXISTS (SELECT FROM usage_attempts a
                    WHERE a.owner_id = o.instance_id AND a.status = 'reserved')
`;

/**
 * Settles reservations whose process has died, for what was reserved: the model may have been paid for all of it.
 * One sweep at a time, in short transactions; running it again changes nothing.
 */
export async function sweepOrphans(options: SweepOptions): Promise<SweepResult> {
  let swept = 0;
  for (;;) {
    const chunk = await options.pool.transaction((query) => sweepChunk(query, options));
    if (typeof chunk === 'string') return { swept, skipped: chunk };
    swept += chunk;
    if (chunk < CHUNK) return { swept };
  }
}

async function sweepChunk(
  query: RunStatement,
  { instanceId, leaseMs, olderThanMs }: SweepOptions,
): Promise<number | NonNullable<SweepResult['skipped']>> {
  const [lock] = await query<{ mine: boolean }>({
    text: 'SELECT pg_try_advisory_xact_lock($1) AS mine',
    values: [LOCK_KEY],
  });
  if (lock?.mine !== true) return 'another-sweep-runs';
  const steady = await query({ text: STEADY, values: [instanceId, leaseMs] });
  if (steady.length === 0) return 'not-steady';

  const orphans = await query<OrphanRow>({ text: ORPHANS, values: [olderThanMs] });
  if (orphans.length > 0) await writeSettlements(query, orphans.map(chargeAsReserved));
  if (orphans.length < CHUNK) await query({ text: FORGET_OWNERS });
  return orphans.length;
}

function chargeAsReserved(row: OrphanRow): SettleItem {
  return {
    attemptId: row.attempt_id,
    status: 'orphaned',
    outcome: 'owner-died',
    costMicroUsd: Number(row.reserved),
    ...NO_USAGE,
    clientDisconnected: false,
  };
}
