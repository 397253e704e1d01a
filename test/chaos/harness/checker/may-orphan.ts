import type { FaultEvent, HistoryRecord } from '../history';
import { processLives, type ProcessLife } from './process-lives';

/** Processes that could not settle what they had reserved: killed ones, and those whose end came while the database was away. */
export function processesThatMayOrphan(history: readonly HistoryRecord[]): ReadonlySet<string> {
  const outages = databaseOutages(history);
  const names = [...processLives(history)]
    .filter(([, life]) => life.ended === 'killed' || outages.some((outage) => meets(outage, life)))
    .map(([name]) => name);
  return new Set(names);
}

interface Outage {
  readonly fromMs: number;
  readonly toMs: number;
}

// A connection that was cut off is found dead and made anew only after a while.
const AFTERMATH_MS = 3_000;

function databaseOutages(history: readonly HistoryRecord[]): Outage[] {
  const events = history.filter(
    (record): record is FaultEvent => record.op === 'fault' && record.id === 'postgres',
  );
  return events
    .filter(({ event }) => event === 'injected')
    .map(({ atMs }) => {
      const healed = events.find((it) => it.event === 'healed' && it.atMs >= atMs);
      return { fromMs: atMs, toMs: (healed?.atMs ?? Infinity) + AFTERMATH_MS };
    });
}

function meets({ fromMs, toMs }: Outage, { endingAtMs, endedAtMs, ended }: ProcessLife): boolean {
  if (ended !== 'drained' || endingAtMs === undefined || endedAtMs === undefined) return false;
  return fromMs <= endedAtMs && toMs >= endingAtMs;
}
