import { createBreaker, type BreakerSettings, type BreakerState } from './breaker';
import type { Random } from './clock';
import { fillBuckets, readBuckets, type WindowTotals } from './sliding-window';

/**
 * What may outlive a process: plain data with times relative to the moment it was taken.
 * Permits and isolation handles die with their process, so half-open is kept as "open, wait over"
 * and isolated as closed.
 */
export interface BreakerSnapshot {
  readonly phase: 'closed' | 'open';
  readonly openings: number;
  readonly openForMs: number;
  /** Calls in the window by age, youngest first. */
  readonly window: readonly WindowTotals[];
}

export function snapshotBreaker(state: BreakerState, nowMs: number): BreakerSnapshot {
  const broken = state.phase === 'open' || state.phase === 'half-open';
  return {
    phase: broken ? 'open' : 'closed',
    openings: broken ? state.openings : 0,
    openForMs: state.phase === 'open' ? Math.max(0, state.openUntilMs - nowMs) : 0,
    window: readBuckets(state.window, nowMs),
  };
}

export function restoreBreaker(
  snapshot: BreakerSnapshot,
  settings: BreakerSettings,
  random: Random,
  nowMs: number,
): BreakerState {
  const state = createBreaker(settings, random, nowMs);
  fillBuckets(state.window, snapshot.window);
  state.phase = snapshot.phase;
  state.openings = snapshot.openings;
  state.openUntilMs = nowMs + snapshot.openForMs;
  return state;
}
