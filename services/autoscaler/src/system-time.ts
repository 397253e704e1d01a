import { systemClock } from '@matsuri/resilience';
import type { Time } from './ports';

/** The machine's clocks. */
export const systemTime: Time = {
  nowMs: Date.now,
  monotonicMs: () => systemClock.nowMs(),
  after: (delayMs, run) => systemClock.after(delayMs, run),
};
