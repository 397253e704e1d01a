import type { PlatformConfiguration } from '@matsuri/contract';
import { remembered } from './history';
import type { TelemetryVerdict } from './plan';
import type { Snapshot } from './snapshot';
import { FRESH_STATE, type AutoscalerState, type HistoryPoint } from './state';
import { judgeTelemetry, measure, type Measured } from './telemetry';

/** One cycle's view: what was known, what is seen, and how much of it can be believed. */
export interface Cycle {
  readonly before: AutoscalerState;
  readonly snapshot: Snapshot;
  readonly configuration: PlatformConfiguration;
  readonly nowMs: number;
  readonly measured: Measured;
  readonly history: readonly HistoryPoint[];
  readonly telemetry: TelemetryVerdict;
  readonly completeSinceMs: number | undefined;
  /** Full telemetry for a whole hold period: without it nothing is given back. */
  readonly mayShrink: boolean;
}

export function observe(
  known: AutoscalerState,
  snapshot: Snapshot,
  configuration: PlatformConfiguration,
  nowMs: number,
): Cycle {
  const before = isFromTheFuture(known, configuration, nowMs) ? FRESH_STATE : known;
  const measured = measure(snapshot, configuration, nowMs);
  const history = remembered(before.history, measured, configuration, nowMs);
  const telemetry = judgeTelemetry(measured, history, configuration, nowMs);
  const completeSinceMs = telemetry.complete
    ? watchedSince(before, configuration, nowMs)
    : undefined;
  const holdMs = configuration.autoscaler.scaleIn.holdSeconds * 1_000;
  const mayShrink = completeSinceMs !== undefined && nowMs - completeSinceMs >= holdMs;
  return {
    before,
    snapshot,
    configuration,
    nowMs,
    measured,
    history,
    telemetry,
    completeSinceMs,
    mayShrink,
  };
}

/** Some skew between two machines is ordinary; more would keep holds and mitigations for ever. */
function isFromTheFuture(
  { decidedAtMs }: AutoscalerState,
  { autoscaler }: PlatformConfiguration,
  nowMs: number,
): boolean {
  return (decidedAtMs ?? 0) > nowMs + autoscaler.staleAfterSeconds * 1_000;
}

/** A pause between two decisions is a gap like any other. */
function watchedSince(
  { completeSinceMs, decidedAtMs }: AutoscalerState,
  { autoscaler }: PlatformConfiguration,
  nowMs: number,
): number {
  const gapMs = nowMs - (decidedAtMs ?? -Infinity);
  const unbroken = gapMs <= autoscaler.staleAfterSeconds * 1_000;
  return unbroken && completeSinceMs !== undefined ? Math.min(completeSinceMs, nowMs) : nowMs;
}
