import { performance } from 'node:perf_hooks';

import type { Clock } from './clock';

export interface ScaledClockOptions {
  /** Virtual seconds that pass in one real second. @default 1 */
  readonly timeScale?: number;
  /** Virtual time at the moment the clock is made. @default the real time */
  readonly startAtMs?: number;
  /** Instead of both: shows the same time as another process's clock. */
  readonly origin?: ClockOrigin;
}

/** Where a scaled clock began: another process with the same origin reads the same time. */
export interface ClockOrigin {
  readonly realMs: number;
  readonly virtualMs: number;
  readonly timeScale: number;
}

export interface ScaledClock extends Clock {
  readonly origin: ClockOrigin;
}

// Longer timers overflow Node's 32-bit delay and fire at once.
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Real time, optionally compressed, so that a night can be lived in minutes. */
export function scaledClock(options: ScaledClockOptions = {}): ScaledClock {
  const origin = options.origin ?? {
    realMs: realNowMs(),
    virtualMs: options.startAtMs ?? realNowMs(),
    timeScale: options.timeScale ?? 1,
  };
  const { realMs, virtualMs, timeScale } = origin;

  const nowMs = (): number => virtualMs + (realNowMs() - realMs) * timeScale;

  const after = (delayMs: number, run: () => void): (() => void) => {
    const dueMs = nowMs() + delayMs;
    let timer: NodeJS.Timeout;
    const arm = (): void => {
      const remainingMs = Math.ceil((dueMs - nowMs()) / timeScale);
      const waitMs = Math.min(Math.max(remainingMs, 0), LONGEST_TIMER_MS);
      timer = setTimeout(() => (waitMs < LONGEST_TIMER_MS ? run() : arm()), waitMs);
    };
    arm();
    return () => clearTimeout(timer);
  };

  return { nowMs, after, origin };
}

/** Wall time that never steps back, the same in every process of the machine to within its drift. */
function realNowMs(): number {
  return performance.timeOrigin + performance.now();
}
