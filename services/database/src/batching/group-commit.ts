import { DatabaseUnavailableError } from '../errors';
import { Fifo, type Linked } from '../core/fifo';
import { newPace, notePace, paceWaitMs, type PaceSettings } from '../core/pace';
import type { Timers } from './timers';

/** What became of one item of a batch. */
export type BatchResult<Outcome> = { readonly ok: Outcome } | { readonly error: Error };

export interface GroupCommitOptions<Item, Outcome> {
  /** Writes a batch in one go; one result per item, in order. A throw fails them all. */
  write(items: readonly Item[]): Promise<readonly BatchResult<Outcome>[]>;
  readonly maxBatch: number;
  /** Items that may wait for a batch; one more is refused at once. */
  readonly maxWaiting: number;
  /** Batches under way at the same time: the connections this takes. */
  readonly maxInFlight: number;
  /**
   * How long a batch has been under way before another leaves beside it: what comes in the meantime goes together,
   * and one that is held up does not hold up all.
   *
   * @default 0: at once
   */
  readonly overlapAfterMs?: number;
  /**
   * How closely batches follow each other: in light traffic everyone leaves at once, in heavy traffic they gather.
   *
   * @default as closely as they can
   */
  readonly pace?: PaceSettings;
  /**
   * How long a batch gathers before it goes, for lanes nobody waits on: fewer, larger batches.
   *
   * @default 0: as soon as the events at hand have been dealt with
   */
  readonly lingerMs?: number;
  readonly timers: Timers;
  /** An item was written after its caller had stopped waiting. */
  onLate?(item: Item, outcome: Outcome): void;
}

export interface GroupCommitFigures {
  readonly waiting: number;
  readonly inFlight: number;
  readonly batches: number;
  readonly items: number;
}

/**
 * Gathers what concurrent callers want written and writes it together: while one batch is under way the next one
 * collects. Alone, an item goes out at once; under load a round trip is shared by many.
 */
export interface GroupCommit<Item, Outcome> {
  /** Rejects with `DatabaseUnavailableError` when `timeoutMs` pass first. */
  submit(item: Item, timeoutMs?: number): Promise<Outcome>;
  figures(): GroupCommitFigures;
  /** Refuses new items; resolves when those accepted have been dealt with. */
  close(): Promise<void>;
}

interface Entry<Item, Outcome> extends Linked<Entry<Item, Outcome>> {
  readonly item: Item;
  resolve(outcome: Outcome): void;
  reject(error: Error): void;
  cancelTimer: (() => void) | undefined;
  waiting: boolean;
  gone: boolean;
}

/** Creates a lane of batches. */
export function createGroupCommit<Item, Outcome>(
  options: GroupCommitOptions<Item, Outcome>,
): GroupCommit<Item, Outcome> {
  const { maxBatch, maxWaiting, maxInFlight, lingerMs = 0, timers } = options;
  const { overlapAfterMs = 0 } = options;
  const pace = newPace(options.pace ?? { everyMs: 0, burst: 1 });
  const waiting = new Fifo<Entry<Item, Outcome>>();
  const idle = Promise.withResolvers<undefined>();
  let inFlight = 0;
  let scheduled = false;
  let cancelWait: (() => void) | undefined;
  let leftAtMs = -Infinity;
  let closed = false;
  let batches = 0;
  let items = 0;

  const schedule = (): void => {
    if (closed && waiting.size === 0 && inFlight === 0) idle.resolve(undefined);
    if (scheduled || waiting.size === 0 || inFlight >= maxInFlight) return;
    const waitMs = leavesInMs();
    if (waitMs > 0) {
      cancelWait ??= timers.after(Math.ceil(waitMs), endWait);
      return;
    }
    scheduled = true;
    if (lingerMs > 0) timers.after(lingerMs, dispatchAll);
    else timers.soon(dispatchAll);
  };

  const endWait = (): void => {
    cancelWait = undefined;
    schedule();
  };

  const dispatchAll = (): void => {
    scheduled = false;
    while (waiting.size > 0 && inFlight < maxInFlight && leavesInMs() === 0) void dispatch(take());
    schedule();
  };

  /** A full batch leaves in any case: there is nothing to gain by waiting. */
  const leavesInMs = (): number => {
    if (waiting.size >= maxBatch) return 0;
    const nowMs = timers.nowMs();
    const overlapInMs = inFlight === 0 ? 0 : leftAtMs + overlapAfterMs - nowMs;
    return Math.max(0, overlapInMs, paceWaitMs(pace, nowMs));
  };

  const take = (): Entry<Item, Outcome>[] => {
    const batch: Entry<Item, Outcome>[] = [];
    while (waiting.first && batch.length < maxBatch) {
      batch.push(waiting.first);
      stopWaiting(waiting.first);
    }
    return batch;
  };

  const stopWaiting = (entry: Entry<Item, Outcome>): void => {
    if (!entry.waiting) return;
    entry.waiting = false;
    waiting.remove(entry);
  };

  const dispatch = async (batch: readonly Entry<Item, Outcome>[]): Promise<void> => {
    inFlight += 1;
    leftAtMs = timers.nowMs();
    notePace(pace, leftAtMs);
    batches += 1;
    items += batch.length;
    try {
      const results = await options.write(batch.map(({ item }) => item));
      for (const [index, entry] of batch.entries()) deliver(entry, results[index]);
    } catch (error) {
      failAll(batch, error instanceof Error ? error : new Error('Batch failed', { cause: error }));
    } finally {
      inFlight -= 1;
      cancelWait?.();
      cancelWait = undefined;
      schedule();
    }
  };

  const deliver = (entry: Entry<Item, Outcome>, result: BatchResult<Outcome> | undefined): void => {
    if (result === undefined) finish(entry, () => entry.reject(new Error('No result')));
    else if ('error' in result) finish(entry, () => entry.reject(result.error));
    else if (entry.gone) options.onLate?.(entry.item, result.ok);
    else finish(entry, () => entry.resolve(result.ok));
  };

  const failAll = (batch: readonly Entry<Item, Outcome>[], error: Error): void => {
    // With the database away, those who wait would only find out one batch later.
    const others = error instanceof DatabaseUnavailableError ? [...waiting] : [];
    for (const entry of [...batch, ...others]) finish(entry, () => entry.reject(error));
  };

  const finish = (entry: Entry<Item, Outcome>, tell: () => void): void => {
    stopWaiting(entry);
    entry.cancelTimer?.();
    if (entry.gone) return;
    entry.gone = true;
    tell();
  };

  const refusal = (): DatabaseUnavailableError | undefined => {
    if (closed) return new DatabaseUnavailableError('closed');
    return waiting.size >= maxWaiting ? new DatabaseUnavailableError('overloaded') : undefined;
  };

  return {
    submit(item, timeoutMs) {
      const refused = refusal();
      if (refused) return Promise.reject(refused);
      return new Promise((resolve, reject) => {
        const entry: Entry<Item, Outcome> = {
          item,
          resolve,
          reject,
          cancelTimer: undefined,
          waiting: true,
          gone: false,
          previous: undefined,
          next: undefined,
        };
        if (timeoutMs !== undefined) {
          const expire = () =>
            finish(entry, () => reject(new DatabaseUnavailableError('deadline')));
          entry.cancelTimer = timers.after(timeoutMs, expire);
        }
        waiting.push(entry);
        schedule();
      });
    },
    figures: () => ({ waiting: waiting.size, inFlight, batches, items }),
    close() {
      closed = true;
      schedule();
      return idle.promise;
    },
  };
}
