import { DatabaseUnavailableError, LedgerInputError } from '../errors';
import { periodEnd } from '../core/spend-period';
import type { DatabasePool, RunStatement } from '../pool/database-pool';
import { sqlState } from '../pool/failure-kind';
import type { ReserveOutcome, SettleOutcome } from './attempt';
import type { BatchResult } from '../batching/group-commit';
import { reserveStatement } from './reserve-statement';
import type { ReserveItem, ReserveRow } from './reserve-statement';
import { settleStatement } from './settle-statement';
import type { SettleItem, SettleRow } from './settle-statement';

/** What one statement said of a batch: results by position, `again` for those that must be asked once more. */
export async function writeReservations(
  query: RunStatement,
  items: readonly ReserveItem[],
  ownerId: string,
): Promise<(BatchResult<ReserveOutcome> | 'again')[]> {
  const results: (BatchResult<ReserveOutcome> | 'again')[] = items.map(() => ({
    ok: { granted: true },
  }));
  for (const row of await query<ReserveRow>(reserveStatement(items, ownerId))) {
    results[row.ord] = refusal(row);
  }
  return results;
}

function refusal({ verdict, cap, day }: ReserveRow): BatchResult<ReserveOutcome> | 'again' {
  switch (verdict) {
    case 'duplicate':
      return { error: new LedgerInputError('The attempt id is taken') };
    case 'token-inactive':
      return { ok: { granted: false, refused: 'token-inactive' } };
    case 'refused':
      if (cap === 'again') return 'again';
      return { ok: { granted: false, refused: 'spend-cap', cap, resetsAt: periodEnd(cap, day) } };
  }
}

/** Writes settlements in one round trip. Told twice in one batch, an attempt takes the first. */
export async function writeSettlements(
  query: RunStatement,
  items: readonly SettleItem[],
): Promise<BatchResult<SettleOutcome>[]> {
  const first = new Map<string, number>();
  for (const [index, { attemptId }] of items.entries()) {
    if (!first.has(attemptId)) first.set(attemptId, index);
  }
  const indices = [...first.values()];
  const batch = items.filter(({ attemptId }, index) => first.get(attemptId) === index);

  const results = items.map(({ attemptId }, index): BatchResult<SettleOutcome> => ({
    ok: first.get(attemptId) === index ? 'recorded' : 'already-settled',
  }));
  for (const { ord, verdict } of await query<SettleRow>(settleStatement(batch))) {
    results[indices[ord] ?? ord] = { ok: verdict };
  }
  return results;
}

const UNIQUE_VIOLATION = '23505';

/** Whether the same batch, written again, may go through: the connection was lost, or another transaction won. */
export function isWorthRepeating(error: unknown): boolean {
  if (sqlState(error) === UNIQUE_VIOLATION) return true;
  if (!(error instanceof DatabaseUnavailableError)) return false;
  return error.reason === 'connection-lost' || sqlState(error.cause)?.startsWith('40') === true;
}

/** One item that the server refuses must not fail the others: written alone, each gets its own answer. */
export async function writeOneByOne<Item, Outcome>(
  items: readonly Item[],
  write: (items: readonly Item[]) => Promise<readonly BatchResult<Outcome>[]>,
): Promise<BatchResult<Outcome>[]> {
  const results: BatchResult<Outcome>[] = [];
  for (const item of items) {
    results.push(
      ...(await write([item]).catch((error: unknown) => [{ error: refusedRow(error) }])),
    );
  }
  return results;
}

function refusedRow(error: unknown): Error {
  if (error instanceof DatabaseUnavailableError) return error;
  return new LedgerInputError('The server refused the row', { cause: error });
}

export type LedgerPool = Pick<DatabasePool, 'query' | 'transaction'>;
