/**
 * Counts of calls over the last `buckets × bucketMs`, kept as a ring with running totals.
 * A call made at t belongs to tick ⌊t / bucketMs⌋ and leaves when the clock enters
 * tick + buckets: exactly at the window's edge, whatever traffic there was in between.
 */
export interface SlidingWindow {
  readonly bucketMs: number;
  readonly calls: number[];
  readonly failures: number[];
  readonly slow: number[];
  tick: number;
  totals: WindowTotals;
}

export interface WindowTotals {
  calls: number;
  failures: number;
  slow: number;
}

const zeros = (length: number): number[] => new Array<number>(length).fill(0);

const noCalls = (): WindowTotals => ({ calls: 0, failures: 0, slow: 0 });

export function createWindow(buckets: number, bucketMs: number, nowMs: number): SlidingWindow {
  return {
    bucketMs,
    calls: zeros(buckets),
    failures: zeros(buckets),
    slow: zeros(buckets),
    tick: Math.floor(nowMs / bucketMs),
    totals: noCalls(),
  };
}

export function clearWindow(window: SlidingWindow): void {
  window.calls.fill(0);
  window.failures.fill(0);
  window.slow.fill(0);
  window.totals = noCalls();
}

// Ticks before the clock's zero occur when a snapshot is restored early in a process's life.
const slotOf = (window: SlidingWindow, tick: number): number => {
  const size = window.calls.length;
  return ((tick % size) + size) % size;
};

function evict(window: SlidingWindow, slot: number): void {
  const { totals, calls, failures, slow } = window;
  totals.calls -= calls[slot] ?? 0;
  totals.failures -= failures[slot] ?? 0;
  totals.slow -= slow[slot] ?? 0;
  calls[slot] = 0;
  failures[slot] = 0;
  slow[slot] = 0;
}

function moveTo(window: SlidingWindow, tick: number): void {
  const size = window.calls.length;
  if (tick - window.tick >= size) clearWindow(window);
  else for (let t = window.tick + 1; t <= tick; t++) evict(window, t % size);
  window.tick = Math.max(window.tick, tick);
}

export function recordCall(
  window: SlidingWindow,
  failed: boolean,
  slow: boolean,
  nowMs: number,
): void {
  moveTo(window, Math.floor(nowMs / window.bucketMs));
  const slot = window.tick % window.calls.length;
  window.calls[slot] = (window.calls[slot] ?? 0) + 1;
  window.totals.calls++;
  if (failed) {
    window.failures[slot] = (window.failures[slot] ?? 0) + 1;
    window.totals.failures++;
  }
  if (slow) {
    window.slow[slot] = (window.slow[slot] ?? 0) + 1;
    window.totals.slow++;
  }
}

/** Counts by age, youngest first, as of `nowMs`; changes nothing. */
export function readBuckets(window: SlidingWindow, nowMs: number): readonly WindowTotals[] {
  const size = window.calls.length;
  const newest = Math.max(window.tick, Math.floor(nowMs / window.bucketMs));
  return Array.from({ length: size }, (_, age) => {
    const tick = newest - age;
    if (tick > window.tick || tick <= window.tick - size) return noCalls();
    const slot = slotOf(window, tick);
    return {
      calls: window.calls[slot] ?? 0,
      failures: window.failures[slot] ?? 0,
      slow: window.slow[slot] ?? 0,
    };
  });
}

/** Puts counts back by age, youngest first. */
export function fillBuckets(window: SlidingWindow, byAge: readonly WindowTotals[]): void {
  const size = window.calls.length;
  byAge.slice(0, size).forEach(({ calls, failures, slow }, age) => {
    const slot = slotOf(window, window.tick - age);
    window.calls[slot] = calls;
    window.failures[slot] = failures;
    window.slow[slot] = slow;
    window.totals.calls += calls;
    window.totals.failures += failures;
    window.totals.slow += slow;
  });
}

export function sumOf(byAge: readonly WindowTotals[]): WindowTotals {
  return byAge.reduce(
    (sum, each) => ({
      calls: sum.calls + each.calls,
      failures: sum.failures + each.failures,
      slow: sum.slow + each.slow,
    }),
    noCalls(),
  );
}
