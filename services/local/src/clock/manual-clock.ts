import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Clock } from './clock';

export interface ManualClock extends Clock {
  /** Moves time on, running what falls due in order and letting its promises settle in between. */
  advance(byMs: number): Promise<void>;
}

interface Due {
  readonly atMs: number;
  readonly run: () => void;
}

/** A clock that moves only when told to. */
export function manualClock(startMs: number): ManualClock {
  let nowMs = startMs;
  const waiting = new Set<Due>();

  const nextDue = (untilMs: number): Due | undefined =>
    [...waiting].filter(({ atMs }) => atMs <= untilMs).sort((a, b) => a.atMs - b.atMs)[0];

  return {
    nowMs: () => nowMs,
    after(delayMs, run) {
      const due = { atMs: nowMs + Math.max(delayMs, 0), run };
      waiting.add(due);
      return () => waiting.delete(due);
    },
    async advance(byMs) {
      const untilMs = nowMs + byMs;
      await nextTurn();
      for (let due = nextDue(untilMs); due !== undefined; due = nextDue(untilMs)) {
        waiting.delete(due);
        nowMs = Math.max(nowMs, due.atMs);
        due.run();
        await nextTurn();
      }
      nowMs = untilMs;
    },
  };
}
