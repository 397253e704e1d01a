import { randomUUID } from 'node:crypto';
import { unwritableField } from '../core/ledger-input';
import { DatabaseUnavailableError, LedgerInputError } from '../errors';
import type {
  CoalescedRequest,
  ReserveOutcome,
  Reservation,
  Settlement,
  SettleOutcome,
} from './attempt';
import type { LedgerPool } from './batch-writes';
import { createGroupCommit } from '../batching/group-commit';
import type { GroupCommitFigures } from '../batching/group-commit';
import { sweepOrphans } from './orphan-sweep';
import type { SweepResult } from './orphan-sweep';
import { keepOwnerLease } from './owner-lease';
import { createReserveWriter } from './reserve-writer';
import type { ReserveItem } from './reserve-statement';
import type { SettleItem } from './settle-statement';
import { createSettleWriter } from './settle-writer';
import { createStrays, notCalled } from './stray-reservations';
import { systemTimers } from '../batching/timers';
import type { Timers } from '../batching/timers';

export interface LedgerOptions {
  readonly pool: LedgerPool;
  /**
   * Who holds the reservations; one per process.
   *
   * @default a new UUID
   */
  readonly instanceId?: string;
  /**
   * How long this process counts as alive after its last sign of life. A stream may run far longer.
   *
   * @default 60000
   */
  readonly leaseMs?: number;
  /**
   * Longest wait of one call.
   *
   * @default 2000
   */
  readonly timeoutMs?: number;
  /**
   * Attempts reserved and not yet settled that this process may hold; one more is refused.
   *
   * @default 10000
   */
  readonly maxOpen?: number;
  /**
   * Age from which a reservation of ours that nobody here knows of is given back; more than any statement may take.
   *
   * @default 30000
   */
  readonly strayAfterMs?: number;
  /** @default real time */
  readonly timers?: Timers;
}

export interface LedgerFigures {
  /** Attempts granted and not yet durably settled by this process. */
  readonly open: number;
  readonly reserve: GroupCommitFigures;
  readonly settle: GroupCommitFigures;
}

/** The record of what is about to be spent and what was. */
export interface Ledger {
  /**
   * Records an attempt before it is made. Resolves when the row is durable, or refused; rejects with
   * `DatabaseUnavailableError` when that cannot be known in time. Then the call must not be made.
   */
  reserve(reservation: Reservation, timeoutMs?: number): Promise<ReserveOutcome>;
  /** Records a request that another request's attempt answered. It costs nothing and is never refused. */
  recordCoalesced(request: CoalescedRequest, timeoutMs?: number): Promise<void>;
  /** Records what an attempt came to, exactly once however often it is told. Survives the database's absence. */
  settle(settlement: Settlement, timeoutMs?: number): Promise<SettleOutcome>;
  /**
   * Settles what dead processes left, if older than this; give it a lease at least. Call it every minute or so, in
   * any process.
   */
  sweepOrphans(olderThanMs: number): Promise<SweepResult>;
  figures(): LedgerFigures;
  /** Accepts nothing new, writes what it has for at most `timeoutMs`, gives up its lease. */
  close(timeoutMs?: number): Promise<void>;
}

const MAX_BATCH = 128;
const MAX_WAITING = 5_000;

// Up to some 250 commits a second nobody waits; beyond that a commit is shared, for a few milliseconds each. It costs both
// sides as much as dozens of rows, and a hundred tasks write to one database.
const RESERVE_PACE = { everyMs: 4, burst: 6 };

// No client waits for a settlement, and what is reserved meanwhile only keeps a cap on the safe side.
const SETTLE_LINGER_MS = 50;

// Batches of one account wait for each other's lock: a second one is for when the first is held up.
const OVERLAP_AFTER_MS = 10;

/** Opens the ledger for this process and begins to keep its lease. */
export function createLedger(options: LedgerOptions): Ledger {
  const { pool, instanceId = randomUUID(), timers = systemTimers } = options;
  const { leaseMs = 60_000, timeoutMs: patienceMs = 2_000, maxOpen = 10_000 } = options;
  const { strayAfterMs = 30_000 } = options;
  const open = new Set<string>();

  const strays = createStrays({ pool, ownerId: instanceId, open, strayAfterMs, timers });
  const settleWriter = createSettleWriter(pool, timers);
  const reserveLane = createGroupCommit<ReserveItem, ReserveOutcome>({
    write: createReserveWriter(pool, instanceId, () => strays.suspect()),
    maxBatch: MAX_BATCH,
    maxWaiting: MAX_WAITING,
    maxInFlight: 2,
    overlapAfterMs: OVERLAP_AFTER_MS,
    pace: RESERVE_PACE,
    timers,
    // Durable, but the caller was told otherwise and will not call the model.
    onLate: ({ reservation, status }, outcome) => {
      if (outcome.granted && status === 'reserved') void release(reservation.attemptId);
    },
  });
  const settleLane = createGroupCommit<SettleItem, SettleOutcome>({
    write: settleWriter.write,
    maxBatch: MAX_BATCH,
    maxWaiting: 2 * maxOpen,
    maxInFlight: 1,
    lingerMs: SETTLE_LINGER_MS,
    timers,
  });

  const release = async (attemptId: string): Promise<void> => {
    // A failure is left to the next look for strays.
    await settleLane.submit(notCalled(attemptId)).catch(() => strays.suspect());
  };

  const releaseStrays = async (): Promise<void> => {
    await Promise.all((await strays.find()).map(release));
  };
  // Who takes over would charge them as reserved.
  const releaseAllStrays = async (): Promise<void> => {
    await Promise.all((await strays.findAll()).map(release));
  };

  const lease = keepOwnerLease({ pool, instanceId, leaseMs, timers, onBeat: releaseStrays });

  const submitReserve = async (item: ReserveItem, timeoutMs = patienceMs) => {
    const { attemptId } = item.reservation;
    const problem = unwritableField('attemptId', { ...item.reservation });
    if (problem !== undefined)
      throw new LedgerInputError(`Cannot record an attempt with this ${problem}`);
    if (open.has(attemptId)) throw new LedgerInputError('The attempt id is taken');
    if (open.size >= maxOpen) throw new DatabaseUnavailableError('overloaded');
    open.add(attemptId);
    try {
      const outcome = await reserveLane.submit(item, timeoutMs);
      if (!outcome.granted || item.status === 'coalesced') open.delete(attemptId);
      return outcome;
    } catch (error) {
      open.delete(attemptId);
      throw error;
    }
  };

  return {
    reserve: (reservation, timeoutMs) =>
      submitReserve({ reservation, status: 'reserved' }, timeoutMs),

    async recordCoalesced(request, timeoutMs) {
      const reservation = { ...request, reservedMicroUsd: 0 };
      await submitReserve({ reservation, status: 'coalesced' }, timeoutMs);
    },

    async settle(settlement, timeoutMs = patienceMs) {
      const problem = unwritableField('attemptId', { ...settlement });
      if (problem !== undefined) throw new LedgerInputError(`Cannot settle with this ${problem}`);
      const written = settleLane.submit(settlement).then((outcome) => {
        open.delete(settlement.attemptId);
        return outcome;
      });
      return within(written, timeoutMs, timers);
    },

    sweepOrphans: (olderThanMs) => sweepOrphans({ pool, instanceId, leaseMs, olderThanMs }),

    figures: () => ({
      open: open.size,
      reserve: reserveLane.figures(),
      settle: settleLane.figures(),
    }),

    async close(timeoutMs = 5_000) {
      const outOfTime = Promise.withResolvers<undefined>();
      const cancel = timers.after(timeoutMs, () => {
        settleWriter.giveUp();
        outOfTime.resolve(undefined);
      });
      await reserveLane.close();
      await Promise.race([releaseAllStrays().catch(() => undefined), outOfTime.promise]);
      await settleLane.close();
      cancel();
      // The lease lapses by itself where the database is away.
      await lease.release().catch(() => undefined);
    },
  };
}

function within(
  written: Promise<SettleOutcome>,
  timeoutMs: number,
  timers: Timers,
): Promise<SettleOutcome> {
  return new Promise((resolve, reject) => {
    const cancel = timers.after(timeoutMs, () => resolve('deferred'));
    written.finally(cancel).then(resolve, reject);
  });
}
