import type { LedgerRow, UpstreamAttempt } from '../evidence';
import {
  isEnding,
  type CallEnded,
  type CallInvoked,
  type CallRecord,
  type HistoryRecord,
} from '../history';

/** Everything known of one request: what its client saw, what the ledger says, what the model saw. */
export interface CallStory {
  readonly id: string;
  readonly invoked: CallInvoked | undefined;
  readonly records: readonly CallRecord[];
  readonly endings: readonly CallEnded[];
  readonly attempts: readonly AttemptStory[];
}

export interface AttemptStory {
  readonly row: LedgerRow;
  /** `undefined`: the model never saw it. */
  readonly upstream: UpstreamAttempt | undefined;
}

interface StoryInput {
  readonly history: readonly HistoryRecord[];
  readonly rows: readonly LedgerRow[];
  readonly upstream: readonly UpstreamAttempt[];
}

/** Joins the three views by request and attempt id. */
export function callStories({ history, rows, upstream }: StoryInput): readonly CallStory[] {
  const calls = history.filter((record): record is CallRecord => record.op === 'call');
  const recordsOf = Map.groupBy(calls, ({ id }) => id);
  const rowsOf = Map.groupBy(rows, ({ requestId }) => requestId);
  const seen = new Map(upstream.map((attempt) => [attempt.attemptId, attempt]));
  const ids = new Set([...recordsOf.keys(), ...rowsOf.keys()]);
  return [...ids].map((id) => {
    const records = recordsOf.get(id) ?? [];
    return {
      id,
      invoked: records.find((record): record is CallInvoked => record.type === 'invoke'),
      records,
      endings: records.filter(isEnding),
      attempts: (rowsOf.get(id) ?? []).map((row) => ({ row, upstream: seen.get(row.attemptId) })),
    };
  });
}
