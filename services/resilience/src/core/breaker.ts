/**
 * A circuit breaker as a state machine over owned data: no clock, no promises, no timers.
 *
 *               rate ≥ threshold of ≥ minimumCalls
 *     closed ───────────────────────────────────────► open
 *       ▲                                             │  ▲
 *       │ k probes succeeded      first tryAcquire    │  │ a probe failed, was slow,
 *       │                         after the wait      ▼  │ or hung for maxHalfOpenWaitMs
 *       └───────────────────────────────────────── half-open
 *
 *     any ── isolate() ──► isolated ── last handle released ──► closed
 *
 * Every transition starts a new generation. A permit is the number of the generation that issued
 * it, and a result of an older generation changes nothing: late answers cannot steer a state they
 * do not belong to. Only `tryAcquire`, `onResult` and the isolation calls change state; reading never does.
 * Half-open issues k permits and rejects the next caller at once. The wait in open grows with each
 * consecutive reopening (it doubles, as shipped) up to maxOpenMs and starts afresh after a close.
 */
import type { Random } from './clock';
import {
  clearWindow,
  createWindow,
  readBuckets,
  recordCall,
  sumOf,
  type SlidingWindow,
} from './sliding-window';

export type BreakerPhase = 'closed' | 'open' | 'half-open' | 'isolated';

/** `ignored` is neither success nor failure (an excluded error, the caller's own abort): the permit comes back, nothing is counted. */
export type BreakerOutcome = 'success' | 'failure' | 'ignored';

export interface BreakerSettings {
  readonly windowBuckets: number;
  readonly bucketMs: number;
  /** Below this many calls in the window the rates mean nothing. */
  readonly minimumCalls: number;
  /** Opens at this share of failures or above. */
  readonly failureRate: number;
  /** A call this long or longer is slow; `Infinity` turns the slow-call rule off. */
  readonly slowCallMs: number;
  /** Opens at this share of slow calls or above. */
  readonly slowCallRate: number;
  readonly openMs: number;
  /** Each consecutive reopening multiplies the wait by this. */
  readonly reopenFactor: number;
  readonly maxOpenMs: number;
  /** Each wait is shortened by up to this share at random, so that a fleet does not probe in step. */
  readonly openJitter: number;
  /** Probes that may be out at once in half-open. */
  readonly halfOpenPermits: number;
  readonly successesToClose: number;
  /** Probes unanswered for this long count as failed. */
  readonly maxHalfOpenWaitMs: number;
}

export type TransitionReason =
  | 'failure-rate'
  | 'slow-call-rate'
  | 'wait-over'
  | 'probes-succeeded'
  | 'probe-failed'
  | 'probe-hung'
  | 'isolated'
  | 'isolation-ended';

export interface BreakerTransition {
  readonly from: BreakerPhase;
  readonly to: BreakerPhase;
  readonly reason: TransitionReason;
  readonly atMs: number;
}

export interface BreakerState {
  readonly settings: BreakerSettings;
  readonly random: Random;
  readonly window: SlidingWindow;
  /** Transitions not yet reported, oldest first; the owner drains it. */
  readonly transitions: BreakerTransition[];
  phase: BreakerPhase;
  generation: number;
  /** Openings since the breaker was last closed. */
  openings: number;
  openUntilMs: number;
  probesInFlight: number;
  probeSuccesses: number;
  /** Since when at least one probe has been unanswered without a break. */
  probingSinceMs: number;
  isolations: number;
}

export function createBreaker(
  settings: BreakerSettings,
  random: Random,
  nowMs: number,
): BreakerState {
  return {
    settings,
    random,
    window: createWindow(settings.windowBuckets, settings.bucketMs, nowMs),
    transitions: [],
    phase: 'closed',
    generation: 0,
    openings: 0,
    openUntilMs: 0,
    probesInFlight: 0,
    probeSuccesses: 0,
    probingSinceMs: 0,
    isolations: 0,
  };
}

/** The permit (the generation that issued it), or `undefined`: rejected, do not call. */
export function tryAcquire(state: BreakerState, nowMs: number): number | undefined {
  switch (state.phase) {
    case 'closed':
      return state.generation;
    case 'isolated':
      return undefined;
    case 'open':
      if (nowMs < state.openUntilMs) return undefined;
      enter(state, 'half-open', 'wait-over', nowMs);
      return issueProbe(state, nowMs);
    case 'half-open':
      if (probesHang(state, nowMs)) {
        open(state, 'probe-hung', nowMs);
        return undefined;
      }
      return issueProbe(state, nowMs);
  }
}

/** Each permit is answered once; `tookMs` feeds the slow-call rule. */
export function onResult(
  state: BreakerState,
  permit: number,
  outcome: BreakerOutcome,
  tookMs: number,
  nowMs: number,
): void {
  if (permit !== state.generation) return;
  if (state.phase === 'closed') onClosedResult(state, outcome, tookMs, nowMs);
  else if (state.phase === 'half-open') onProbeResult(state, outcome, tookMs, nowMs);
}

/** Beats every other state; nested calls need as many `endIsolation`s. */
export function isolate(state: BreakerState, nowMs: number): void {
  state.isolations++;
  if (state.phase !== 'isolated') enter(state, 'isolated', 'isolated', nowMs);
}

export function endIsolation(state: BreakerState, nowMs: number): void {
  if (state.isolations === 0) return;
  state.isolations--;
  if (state.isolations === 0) close(state, 'isolation-ended', nowMs);
}

export interface BreakerView {
  readonly phase: BreakerPhase;
  readonly calls: number;
  readonly failures: number;
  readonly slow: number;
  readonly openings: number;
  readonly probesInFlight: number;
  /** How long a rejected caller should stay away; `Infinity` while isolated. */
  readonly retryAfterMs: number;
}

/** For metrics: reading never makes a transition. */
export function viewBreaker(state: BreakerState, nowMs: number): BreakerView {
  const { calls, failures, slow } = sumOf(readBuckets(state.window, nowMs));
  const { phase, openings, probesInFlight } = state;
  const retryAfterMs = breakerRetryAfterMs(state, nowMs);
  return { phase, calls, failures, slow, openings, probesInFlight, retryAfterMs };
}

export function breakerRetryAfterMs(state: BreakerState, nowMs: number): number {
  switch (state.phase) {
    case 'closed':
      return 0;
    case 'isolated':
      return Infinity;
    case 'open':
      return Math.max(0, state.openUntilMs - nowMs);
    case 'half-open':
      return probesLeft(state) > 0 ? 0 : state.settings.bucketMs;
  }
}

function onClosedResult(
  state: BreakerState,
  outcome: BreakerOutcome,
  tookMs: number,
  nowMs: number,
): void {
  if (outcome === 'ignored') return;
  const { settings, window } = state;
  recordCall(window, outcome === 'failure', tookMs >= settings.slowCallMs, nowMs);
  const { calls, failures, slow } = window.totals;
  if (calls < settings.minimumCalls) return;
  if (failures / calls >= settings.failureRate) open(state, 'failure-rate', nowMs);
  else if (settings.slowCallMs < Infinity && slow / calls >= settings.slowCallRate) {
    open(state, 'slow-call-rate', nowMs);
  }
}

function onProbeResult(
  state: BreakerState,
  outcome: BreakerOutcome,
  tookMs: number,
  nowMs: number,
): void {
  if (probesHang(state, nowMs)) {
    open(state, 'probe-hung', nowMs);
    return;
  }
  state.probesInFlight--;
  if (outcome === 'ignored') return;
  if (outcome === 'failure' || tookMs >= state.settings.slowCallMs) {
    open(state, 'probe-failed', nowMs);
    return;
  }
  state.probeSuccesses++;
  if (state.probeSuccesses >= state.settings.successesToClose) {
    close(state, 'probes-succeeded', nowMs);
  }
}

/** No more probes at once than permits, and no more in all than decide the matter. */
function probesLeft({ settings, probesInFlight, probeSuccesses }: BreakerState): number {
  const undecided = Math.max(settings.successesToClose, settings.halfOpenPermits) - probeSuccesses;
  return Math.min(settings.halfOpenPermits, undecided) - probesInFlight;
}

function issueProbe(state: BreakerState, nowMs: number): number | undefined {
  if (probesLeft(state) <= 0) return undefined;
  if (state.probesInFlight === 0) state.probingSinceMs = nowMs;
  state.probesInFlight++;
  return state.generation;
}

function probesHang(state: BreakerState, nowMs: number): boolean {
  return (
    state.probesInFlight > 0 && nowMs - state.probingSinceMs >= state.settings.maxHalfOpenWaitMs
  );
}

function open(state: BreakerState, reason: TransitionReason, nowMs: number): void {
  enter(state, 'open', reason, nowMs);
  state.openings++;
  state.openUntilMs = nowMs + openWaitMs(state.settings, state.openings, state.random);
}

export function openWaitMs(settings: BreakerSettings, openings: number, random: Random): number {
  const grownMs = settings.openMs * settings.reopenFactor ** (openings - 1);
  const waitMs = Math.min(grownMs, settings.maxOpenMs);
  return settings.openJitter === 0 ? waitMs : waitMs * (1 - settings.openJitter * random());
}

function close(state: BreakerState, reason: TransitionReason, nowMs: number): void {
  enter(state, 'closed', reason, nowMs);
  clearWindow(state.window);
  state.openings = 0;
}

function enter(
  state: BreakerState,
  to: BreakerPhase,
  reason: TransitionReason,
  nowMs: number,
): void {
  state.transitions.push({ from: state.phase, to, reason, atMs: nowMs });
  state.phase = to;
  state.generation++;
  state.probesInFlight = 0;
  state.probeSuccesses = 0;
}
