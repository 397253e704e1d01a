import type { LedgerPool } from './batch-writes';
import type { Timers } from '../batching/timers';

export interface OwnerLease {
  /** Gives the lease up: what is left unsettled may be swept at once. */
  release(): Promise<void>;
}

export interface OwnerLeaseOptions {
  readonly pool: LedgerPool;
  readonly instanceId: string;
  readonly leaseMs: number;
  readonly timers: Timers;
  /** Follows each beat that reached the database. */
  onBeat(): Promise<void>;
}

// The first beat after a lapse starts a new run of beats: whoever was cut off itself waits a whole lease before
// it judges others, who may have been cut off with it.
const BEAT = `
INSERT INTO ledger_owners AS o (instance_id, alive_until, beating_since)
VALUES ($1, now() + $2 * interval '1 millisecond', now())
ON CONFLICT (instance_id) DO UPDATE
   SET alive_until = excluded.alive_until,
       beating_since = CASE WHEN o.alive_until < now() THEN now() ELSE o.beating_since END
`;

const RELEASE = `UPDATE ledger_owners SET alive_until = now() WHERE instance_id = $1`;

/** Says, four times a lease, that this process lives. */
export function keepOwnerLease(options: OwnerLeaseOptions): OwnerLease {
  const { pool, instanceId, leaseMs, timers } = options;
  let released = false;
  let cancelNext = (): void => undefined;

  const beat = async (): Promise<void> => {
    let nextInMs = leaseMs / 4;
    try {
      await pool.query({ text: BEAT, values: [instanceId, leaseMs] });
      if (!released) await options.onBeat();
    } catch {
      // Away for everyone, or only for us: then we must be back before our lease lapses.
      nextInMs = leaseMs / 16;
    }
    if (!released) cancelNext = timers.after(nextInMs, start);
  };
  const start = (): void => {
    running = beat();
  };
  let running = beat();

  return {
    async release() {
      released = true;
      cancelNext();
      await running;
      await pool.query({ text: RELEASE, values: [instanceId] });
    },
  };
}
