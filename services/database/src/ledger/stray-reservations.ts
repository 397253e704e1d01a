import { NO_USAGE } from './attempt';
import type { Settlement } from './attempt';
import type { LedgerPool } from './batch-writes';
import type { Timers } from '../batching/timers';

const UNSETTLED = `
SELECT attempt_id FROM usage_attempts
 WHERE owner_id = $1 AND status = 'reserved'
   AND created_at < now() - $2 * interval '1 millisecond'
`;

export interface StrayOptions {
  readonly pool: LedgerPool;
  readonly ownerId: string;
  /** Attempts that somebody here will settle. */
  readonly open: ReadonlySet<string>;
  /** Longer than any statement may run: a reservation still being written is no stray. */
  readonly strayAfterMs: number;
  readonly timers: Timers;
}

/**
 * Reservations of ours that nobody here knows of: the answer to their insert was lost, so their callers were
 * told that the database is away and never called the model. Looked for only after such a loss.
 */
export interface Strays {
  /** An answer was lost just now. */
  suspect(): void;
  find(): Promise<string[]>;
  /** The same whatever their age, for when nothing is being reserved any more. */
  findAll(): Promise<string[]>;
}

/** Creates the search of one process. */
export function createStrays(options: StrayOptions): Strays {
  const { pool, ownerId, open, strayAfterMs, timers } = options;
  let suspectedAtMs = -Infinity;
  let searching = false;

  const olderThan = async (minAgeMs: number): Promise<string[]> => {
    const rows = await pool.query<{ attempt_id: string }>({
      text: UNSETTLED,
      values: [ownerId, minAgeMs],
    });
    return rows.map((row) => row.attempt_id).filter((id) => !open.has(id));
  };

  return {
    suspect() {
      suspectedAtMs = timers.nowMs();
      searching = true;
    },
    async find() {
      if (!searching) return [];
      const ageMs = timers.nowMs() - suspectedAtMs;
      const found = await olderThan(strayAfterMs);
      // By now even the last of them was old enough to be seen.
      if (ageMs > 2 * strayAfterMs) searching = false;
      return found;
    },
    findAll: async () => (searching ? olderThan(0) : []),
  };
}

/** Gives back what an attempt that was never made had reserved. */
export function notCalled(attemptId: string): Settlement {
  return {
    attemptId,
    status: 'settled',
    outcome: 'not-called',
    costMicroUsd: 0,
    ...NO_USAGE,
    clientDisconnected: false,
  };
}
