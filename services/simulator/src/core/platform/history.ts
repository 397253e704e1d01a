import type { FleetView } from './fleet';
import type { Queue } from './queue';

/** What a policy may look at, one figure for each second. */
export type Signal = 'arrivals' | 'inFlight' | 'waiting' | 'running' | 'longestWaitSeconds';

/** More than the longest window any policy looks back. */
const KEPT_SECONDS = 4_096;

/** The recent past, as policies see it: nothing of a second that is not over. */
export interface History {
  /** Over the `seconds` that ended before `end`; what was before the beginning is left out. */
  readonly mean: (signal: Signal, end: number, seconds: number) => number;
  readonly maximum: (signal: Signal, end: number, seconds: number) => number;
}

export interface HistoryRecorder extends History {
  readonly record: (second: number, queue: Queue, fleet: FleetView) => void;
}

export function createHistory(): HistoryRecorder {
  const kept: Readonly<Record<Signal, Float64Array>> = {
    arrivals: new Float64Array(KEPT_SECONDS),
    inFlight: new Float64Array(KEPT_SECONDS),
    waiting: new Float64Array(KEPT_SECONDS),
    running: new Float64Array(KEPT_SECONDS),
    longestWaitSeconds: new Float64Array(KEPT_SECONDS),
  };

  return {
    record: (second, queue, fleet) => {
      const slot = second % KEPT_SECONDS;
      kept.arrivals[slot] = queue.arrived;
      kept.inFlight[slot] = queue.inFlight;
      kept.waiting[slot] = queue.waiting;
      kept.running[slot] = fleet.running;
      kept.longestWaitSeconds[slot] = queue.longestWaitSeconds;
    },
    mean: (signal, end, seconds) => {
      const values = kept[signal];
      const from = Math.max(0, end - seconds);
      let sum = 0;
      for (let second = from; second < end; second += 1) sum += values[second % KEPT_SECONDS] ?? 0;
      return end > from ? sum / (end - from) : 0;
    },
    maximum: (signal, end, seconds) => {
      const values = kept[signal];
      let highest = 0;
      for (let second = Math.max(0, end - seconds); second < end; second += 1) {
        highest = Math.max(highest, values[second % KEPT_SECONDS] ?? 0);
      }
      return highest;
    },
  };
}
