import { DatabaseUnavailableError } from '../errors';
import type { SettleOutcome } from './attempt';
import { isWorthRepeating, writeOneByOne, writeSettlements } from './batch-writes';
import type { LedgerPool } from './batch-writes';
import type { BatchResult } from '../batching/group-commit';
import type { SettleItem } from './settle-statement';
import type { Timers } from '../batching/timers';

/** Writes batches of settlements, for as long as it takes: what was spent must not be forgotten. */
export interface SettleWriter {
  readonly write: (items: readonly SettleItem[]) => Promise<BatchResult<SettleOutcome>[]>;
  /** Stop repeating: the process ends. What is left is swept for what was reserved. */
  giveUp(): void;
}

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

/** Creates the writer of one process. */
export function createSettleWriter(pool: LedgerPool, timers: Timers): SettleWriter {
  let givenUp = false;
  let wake = (): void => undefined;

  const pause = (delayMs: number): Promise<void> =>
    new Promise((resolve) => {
      const cancel = timers.after(delayMs, resolve);
      wake = () => {
        cancel();
        resolve();
      };
    });

  const writeUntilDurable = async (items: readonly SettleItem[]) => {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      try {
        return await writeSettlements(pool.query, items);
      } catch (error) {
        const mayPass = error instanceof DatabaseUnavailableError || isWorthRepeating(error);
        if (givenUp || !mayPass) throw error;
      }
      await pause(pauseMs);
    }
  };

  return {
    async write(items) {
      try {
        return await writeUntilDurable(items);
      } catch (error) {
        if (error instanceof DatabaseUnavailableError) throw error;
        return writeOneByOne(items, writeUntilDurable);
      }
    },
    giveUp() {
      givenUp = true;
      wake();
    },
  };
}
