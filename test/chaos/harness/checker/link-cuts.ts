import type { FaultEvent, HistoryRecord } from '../history';

/** When connections to the model were cut: what it answered just then reached nobody. */
export function modelLinkCuts(history: readonly HistoryRecord[]): readonly number[] {
  return history
    .filter((record): record is FaultEvent => record.op === 'fault' && record.id === 'bedrock')
    .filter(({ event, detail }) => event === 'injected' && detail === 'cut')
    .map(({ atMs }) => atMs);
}
