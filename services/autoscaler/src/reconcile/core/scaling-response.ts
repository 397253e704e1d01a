import type { Rise } from './notes';

export interface Seen {
  readonly running: number;
  readonly desired: number;
  /** The floor that was just decided. */
  readonly floor: number;
  /** When the load that asks for it was measured; now, where no load does. */
  readonly breachedAtMs: number;
  readonly nowMs: number;
}

export interface Response {
  readonly rise?: Rise | undefined;
  /** How long the tasks took, or have taken so far: one that never comes is late as well. */
  readonly seconds?: number | undefined;
}

/**
 * From the breach until the tasks that it asked for run.
 *
 *   rest ──asked > running──► rising ──running ≥ target──► rest, or the next rise
 *                                    ──fewer asked for──► rest
 */
export function followRise(before: Rise | undefined, seen: Seen): Response {
  const asked = Math.max(seen.desired, seen.floor);
  if (before === undefined) return { rise: begun(asked, seen) };

  const seconds = (seen.nowMs - before.sinceMs) / 1_000;
  if (seen.running >= before.target) return { rise: begun(asked, seen), seconds };
  if (asked <= seen.running) return {};
  return { rise: before, seconds };
}

function begun(asked: number, { running, breachedAtMs, nowMs }: Seen): Rise | undefined {
  if (asked <= running) return undefined;
  return { target: asked, sinceMs: Math.min(nowMs, breachedAtMs) };
}
