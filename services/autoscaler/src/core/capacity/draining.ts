import { isServing } from '../model-capacity';
import type { Deletion } from '../plan';
import type { Throughput } from '../snapshot';
import type { CapacityState } from '../state';
import type { CapacityInput } from './capacity-input';
import { beyond, isReturnable, spare } from './giving-back';

export interface Draining {
  readonly state: CapacityState;
  readonly reason?: string | undefined;
}

/** Which throughputs get no new calls from now on, or get them again. */
export function drain(
  input: CapacityInput,
  own: readonly Throughput[],
  units: { readonly target: number; readonly keep: number; readonly pending: number },
): Draining {
  const { state, freeze } = input;
  const serving = own.filter((it) => isServing(it) && !isDraining(state, it));
  if (freeze.scaleIn) return { state };

  const excess = beyond(serving, unitsAllowed(input, own));
  if (excess.length > 0) {
    const why = input.configuration.provisioned.enabled
      ? 'more than the caps allow'
      : 'provisioned throughput is switched off';
    return { state: withDrained(state, excess, input.nowMs), reason: `${why}: draining` };
  }
  const have = serving.reduce((sum, it) => sum + it.units, 0) + units.pending;
  if (units.target > have) return refilled(input, own, units.target - have);
  return units.pending > 0 ? { state: withoutSurplus(state) } : surplus(input, serving, units.keep);
}

/** Those that nobody is sent to any more, and those that never came to be. */
export function deletions(
  { freeze, configuration, nowMs, telemetryComplete }: CapacityInput,
  own: readonly Throughput[],
  state: CapacityState,
): readonly Deletion[] {
  if (freeze.scaleIn) return [];
  // A call that was sent before the drain has ended, or its caller has given up.
  const drainMs = configuration.timeouts.nonStreamingTotalMs;
  return own.filter(isReturnable).flatMap((it): Deletion[] => {
    const sinceMs = state.drainingSinceMs[it.arn];
    if (it.status === 'failed') return [{ arn: it.arn, units: it.units, reason: 'it failed' }];
    if (sinceMs === undefined || nowMs - sinceMs < drainMs) return [];
    if (!telemetryComplete && configuration.provisioned.enabled) return [];
    return [{ arn: it.arn, units: it.units, reason: `drained for ${drainMs / 1_000} s` }];
  });
}

export function isDraining({ drainingSinceMs }: CapacityState, { arn }: Throughput): boolean {
  return Object.hasOwn(drainingSinceMs, arn);
}

function unitsAllowed(
  { alias, configuration, dollarsPerHour }: CapacityInput,
  own: readonly Throughput[],
): number {
  const { enabled, maxUnits, maxDollarsPerHour, dollarsPerUnitHour } = configuration.provisioned;
  if (!enabled) return 0;
  const overspent = dollarsPerHour - maxDollarsPerHour;
  const price = dollarsPerUnitHour[alias];
  if (overspent <= 0 || price === 0) return maxUnits[alias];
  const billed = own.reduce((sum, it) => sum + it.units, 0);
  return Math.min(maxUnits[alias], Math.max(0, billed - Math.ceil(overspent / price)));
}

function refilled(
  { state, configuration, freeze }: CapacityInput,
  own: readonly Throughput[],
  missing: number,
): Draining {
  if (freeze.scaleOut || !configuration.provisioned.enabled) return { state };
  let left = missing;
  const back = new Set<string>();
  for (const it of own.filter((one) => isServing(one) && isDraining(state, one))) {
    if (left <= 0) break;
    back.add(it.arn);
    left -= it.units;
  }
  if (back.size === 0) return { state: withoutSurplus(state) };
  const kept = Object.entries(state.drainingSinceMs).filter(([arn]) => !back.has(arn));
  return {
    state: { ...withoutSurplus(state), drainingSinceMs: Object.fromEntries(kept) },
    reason: 'what was being drained is needed again',
  };
}

function surplus(input: CapacityInput, serving: readonly Throughput[], keep: number): Draining {
  const { state, figures, configuration, mayShrink, nowMs } = input;
  const { unitsBelowPercent, holdSeconds } = configuration.autoscaler.scaleIn;
  const { utilisation } = figures;
  const lowUse = utilisation !== undefined && utilisation < unitsBelowPercent / 100;
  const known = mayShrink && utilisation !== undefined;
  const candidate = known ? spare(serving, keep, lowUse) : undefined;
  if (candidate === undefined) return { state: withoutSurplus(state) };

  const sinceMs = state.surplusSinceMs ?? nowMs;
  const heldMs = nowMs - Math.max(sinceMs, state.drainedAtMs ?? -Infinity);
  if (heldMs < holdSeconds * 1_000) return { state: { ...state, surplusSinceMs: sinceMs } };
  return {
    state: withDrained(state, [candidate], nowMs),
    reason: `${candidate.units} units are not needed: draining`,
  };
}

function withDrained(
  state: CapacityState,
  gone: readonly Throughput[],
  nowMs: number,
): CapacityState {
  const added = Object.fromEntries(gone.map((it) => [it.arn, nowMs]));
  return {
    ...withoutSurplus(state),
    drainedAtMs: nowMs,
    drainingSinceMs: { ...state.drainingSinceMs, ...added },
  };
}

function withoutSurplus(state: CapacityState): CapacityState {
  return { ...state, surplusSinceMs: undefined };
}
