import type { Cancel, Clock } from './core/clock';

// setTimeout reads longer delays as 1 ms.
const MAX_TIMER_MS = 2 ** 31 - 1;

function after(delayMs: number, run: () => void): Cancel {
  if (delayMs === Infinity) return () => undefined;
  let timer: NodeJS.Timeout;
  const arm = (leftMs: number): void => {
    const stepMs = Math.min(leftMs, MAX_TIMER_MS);
    timer = setTimeout(() => (leftMs > stepMs ? arm(leftMs - stepMs) : run()), Math.ceil(stepMs));
  };
  arm(delayMs);
  return () => clearTimeout(timer);
}

/** The process's monotonic clock. */
export const systemClock: Clock = { nowMs: () => performance.now(), after };
