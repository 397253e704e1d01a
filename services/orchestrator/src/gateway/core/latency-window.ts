/** Latencies of one period, to tell a percentile of. Bounded: beyond the limit a uniform sample is kept. */
export interface LatencyWindow {
  seen: number;
  samples: number[];
}

const MAX_SAMPLES = 5_000;

export function newLatencyWindow(): LatencyWindow {
  return { seen: 0, samples: [] };
}

/** @param draw a number in [0, 1) */
export function noteLatency(window: LatencyWindow, latencyMs: number, draw: number): void {
  window.seen += 1;
  if (window.samples.length < MAX_SAMPLES) {
    window.samples.push(latencyMs);
    return;
  }
  const at = Math.floor(draw * window.seen);
  if (at < MAX_SAMPLES) window.samples[at] = latencyMs;
}

/** The percentile of what was noted since the last time, and a new beginning; `undefined`: nothing was. */
export function takePercentile(window: LatencyWindow, percentile: number): number | undefined {
  const sorted = window.samples.toSorted((a, b) => a - b);
  window.samples = [];
  window.seen = 0;
  return sorted[Math.ceil((percentile / 100) * sorted.length) - 1];
}
