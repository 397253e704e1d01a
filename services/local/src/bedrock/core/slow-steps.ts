import type { Step } from './reply';

/** Timers finer than this cost more than they tell. */
const SHORTEST_TICK_MS = 20;

/** The same bytes, so many a second; a token counts once the last byte that carries it is out. */
export function* dripped(steps: Iterable<Step>, bytesPerSecond: number): Generator<Step> {
  const tickMs = Math.max(1_000 / bytesPerSecond, SHORTEST_TICK_MS);
  const bytesPerTick = Math.max(1, Math.round((bytesPerSecond * tickMs) / 1_000));
  let ticks = 0;
  for (const { atMs, bytes, tokens, statesUsage } of steps) {
    for (let start = 0; start < bytes.length; start += bytesPerTick) {
      const isLast = start + bytesPerTick >= bytes.length;
      yield {
        atMs: Math.max(atMs, ticks * tickMs),
        bytes: bytes.subarray(start, start + bytesPerTick),
        tokens: isLast ? tokens : 0,
        ...(isLast && statesUsage ? { statesUsage } : {}),
      };
      ticks += 1;
    }
  }
}
