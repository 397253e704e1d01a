import type { Time } from './ports';

export interface LoopOptions {
  readonly intervalMs: number;
  /** How long after a full interval of the wall clock a run begins. */
  readonly offsetMs: number;
  readonly time: Time;
  readonly run: () => Promise<unknown>;
}

export interface Loop {
  /** Begins no further run; resolves when the one under way is over. */
  stop(): Promise<void>;
}

const EARLY_SHARE = 0.05;

/** Runs at once, then on every full interval: no drift, no overlap; what an overlong run missed is skipped. */
export function startLoop({ intervalMs, offsetMs, time, run }: LoopOptions): Loop {
  let stopped = false;
  let cancel = (): void => undefined;
  let running: Promise<unknown>;

  const untilNext = (): number => {
    const leftMs = intervalMs - modulo(time.nowMs() - offsetMs, intervalMs);
    // A timer may fire a moment early; that run was this interval's.
    return leftMs < intervalMs * EARLY_SHARE ? leftMs + intervalMs : leftMs;
  };
  const runOnce = (): void => {
    running = run().finally(() => {
      if (!stopped) cancel = time.after(untilNext(), runOnce);
    });
  };
  runOnce();
  return {
    async stop() {
      stopped = true;
      cancel();
      await running;
    },
  };
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}
