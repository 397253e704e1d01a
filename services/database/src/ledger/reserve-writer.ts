import { DatabaseUnavailableError } from '../errors';
import type { ReserveOutcome } from './attempt';
import { isWorthRepeating, writeOneByOne, writeReservations } from './batch-writes';
import type { LedgerPool } from './batch-writes';
import type { BatchResult } from '../batching/group-commit';
import type { ReserveItem } from './reserve-statement';

type Results = (BatchResult<ReserveOutcome> | 'again')[];

const MAX_TRIES = 3;

/**
 * Writes batches of reservations for one process.
 *
 * @param onDoubt the answer to a batch was lost: its reservations may be in the ledger unknown to their callers
 */
export function createReserveWriter(pool: LedgerPool, ownerId: string, onDoubt: () => void) {
  const repeatedly = async (items: readonly ReserveItem[]): Promise<Results> => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await writeReservations(pool.query, items, ownerId);
      } catch (error) {
        if (isDoubtful(error)) onDoubt();
        if (tries >= MAX_TRIES || !isWorthRepeating(error)) throw error;
      }
    }
  };

  /** Near a cap some must be asked again, now that it is known who before them was refused. */
  const untilDecided = async (items: readonly ReserveItem[]) => {
    const results = await repeatedly(items);
    const decided: BatchResult<ReserveOutcome>[] = [];
    for (const [index, result] of results.entries()) {
      const item = items[index];
      if (result !== 'again') decided.push(result);
      else if (item) decided.push(await again(item));
    }
    return decided;
  };

  const again = async (item: ReserveItem): Promise<BatchResult<ReserveOutcome>> => {
    // Those before it in its batch are durable by now, so its failure must stay its own.
    const [result] = await writeOneByOne([item], async (one) => {
      const [alone] = await repeatedly(one);
      return alone === undefined || alone === 'again' ? [] : [alone];
    });
    return result ?? { error: new DatabaseUnavailableError('overloaded') };
  };

  return async (items: readonly ReserveItem[]): Promise<BatchResult<ReserveOutcome>[]> => {
    try {
      return await untilDecided(items);
    } catch (error) {
      if (error instanceof DatabaseUnavailableError) throw error;
      return writeOneByOne(items, untilDecided);
    }
  };
}

function isDoubtful(error: unknown): boolean {
  if (!(error instanceof DatabaseUnavailableError)) return false;
  return error.reason === 'connection-lost' || error.reason === 'deadline';
}
