import type { Timers } from '../src/batching/timers';

/** Time that stands still until it is moved. */
export interface ManualTimers extends Timers {
  /** Moves time on and runs what is due, in order. */
  advance(byMs: number): void;
}

export function manualTimers(): ManualTimers {
  let nowMs = 0;
  const due = new Set<{ readonly atMs: number; readonly run: () => void }>();
  return {
    nowMs: () => nowMs,
    after(delayMs, run) {
      const timer = { atMs: nowMs + delayMs, run };
      due.add(timer);
      return () => due.delete(timer);
    },
    soon: (run) => queueMicrotask(run),
    advance(byMs) {
      nowMs += byMs;
      const ready = [...due]
        .filter(({ atMs }) => atMs <= nowMs)
        .toSorted((a, b) => a.atMs - b.atMs);
      for (const timer of ready) {
        due.delete(timer);
        timer.run();
      }
    },
  };
}
