/** Waiting, as a port: tests move time by hand. */
export interface Timers {
  /** Calls back once, later; the returned function takes it back. */
  after(delayMs: number, run: () => void): () => void;
  /** A clock that only goes forward. */
  nowMs(): number;
  /** Calls back once the events at hand have been dealt with. */
  soon(run: () => void): void;
}

/** Real time. Nothing waiting here keeps a process alive. */
export const systemTimers: Timers = {
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
  nowMs: () => performance.now(),
  soon: (run) => void setImmediate(run),
};
