import type { HistoryRecord, ProcessEvent } from '../history';

/** From when to when a process served, and how it ended. */
export interface ProcessLife {
  readonly startedAtMs: number;
  /** When it was told to end or ended; `undefined`: it lives. */
  readonly endingAtMs: number | undefined;
  readonly endedAtMs: number | undefined;
  readonly ended: ProcessEvent['event'] | undefined;
}

/** The life of every process by its name; a restarted process has another name. */
export function processLives(history: readonly HistoryRecord[]): ReadonlyMap<string, ProcessLife> {
  const events = history.filter((record): record is ProcessEvent => record.op === 'process');
  const lives = new Map<string, ProcessLife>();
  for (const [name, own] of Map.groupBy(events, ({ id }) => id)) {
    const started = own.find(({ event }) => event === 'started');
    const ending = own.find(({ event }) => event !== 'started');
    const last = own.findLast(({ event }) => event !== 'started' && event !== 'draining');
    lives.set(name, {
      startedAtMs: started?.atMs ?? Infinity,
      endingAtMs: ending?.atMs,
      endedAtMs: last?.atMs,
      ended: last?.event,
    });
  }
  return lives;
}
