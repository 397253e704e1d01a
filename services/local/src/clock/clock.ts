/** Time as a stand-in sees it: virtual milliseconds since the epoch, and callbacks in them. */
export interface Clock {
  nowMs(): number;
  /** Calls back once after a virtual delay; the result cancels it. */
  after(delayMs: number, run: () => void): () => void;
}

/** Calls back again and again, never overlapping itself; the result stops it. */
export function every(clock: Clock, intervalMs: number, run: () => void): () => void {
  let cancel = (): void => undefined;
  const arm = (): void => {
    cancel = clock.after(intervalMs, () => {
      arm();
      run();
    });
  };
  arm();
  return () => cancel();
}

/** Resolves after a virtual delay, or at once when the signal aborts. */
export function elapsed(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) {
      resolve();
      return;
    }
    const cancel = clock.after(delayMs, resolve);
    const giveUp = (): void => {
      cancel();
      resolve();
    };
    signal?.addEventListener('abort', giveUp, { once: true });
  });
}
