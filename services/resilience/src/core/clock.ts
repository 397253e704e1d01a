/** Ends a scheduled call; calling it late or twice does nothing. */
export type Cancel = () => void;

/** Monotonic time and timers. Wall-clock jumps must never show through this port. */
export interface Clock {
  nowMs(): number;
  /** Runs once, not before `delayMs` has passed; `Infinity` never runs. */
  after(delayMs: number, run: () => void): Cancel;
}

/** A number in [0, 1), as `Math.random` gives. */
export type Random = () => number;
