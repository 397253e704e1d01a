import { isServing } from '../model-capacity';
import type { CapacityPlan, Purchase, WeightedThroughput } from '../plan';
import type { Throughput } from '../snapshot';
import type { CapacityState, PurchaseIntent } from '../state';
import type { CapacityInput } from './capacity-input';
import { deletions, drain, isDraining, type Draining } from './draining';
import { buying, isOnItsWay, type Buying } from './purchase';
import { unitTarget, unitsToKeep, type UnitTarget } from './unit-target';

const OFF = 'provisioned throughput is off';

export interface CapacityDecision {
  readonly state: CapacityState;
  readonly plan: CapacityPlan;
  /** Why a person should know: a purchase that is not allowed, or one that never came. */
  readonly trouble?: string | undefined;
}

/** The capacity set of one alias: what to buy, what to drain, what to delete. */
export function planCapacity(input: CapacityInput): CapacityDecision {
  const { throughputs, alias, configuration } = input;
  if (throughputs === undefined) return withoutList(input.state);
  const own = throughputs.filter((it) => it.alias === alias);
  if (own.length === 0 && !configuration.provisioned.enabled) return switchedOff(input.state);
  const { state, lost } = settle(input, own);
  const inServiceUnits = unitsOf(own.filter((it) => isServing(it) && !isDraining(state, it)));
  const ask = { ...input, inServiceUnits };
  const target: UnitTarget = configuration.provisioned.enabled
    ? unitTarget(ask)
    : { units: 0, cause: 'demand', reason: OFF };

  const drained = drain({ ...input, state }, own, {
    target: target.units,
    keep: unitsToKeep(ask),
    pending: pendingUnits(own, state),
  });
  const bought = buy(input, own, drained.state, target);
  return {
    state: bought.state,
    plan: {
      targetUnits: target.units,
      inServiceUnits,
      pendingUnits: pendingUnits(own, bought.state),
      purchase: bought.purchase,
      set: weighted(own, bought.state),
      deletions: deletions(input, own, bought.state),
      reason: reasonOf(target, drained, bought),
    },
    trouble: lost === undefined ? bought.trouble : `a purchase of ${lost.units} units never came`,
  };
}

function switchedOff(state: CapacityState): CapacityDecision {
  return {
    state: state.intent === undefined ? state : { ...state, intent: undefined },
    plan: {
      targetUnits: 0,
      inServiceUnits: 0,
      pendingUnits: 0,
      set: [],
      deletions: [],
      reason: OFF,
    },
  };
}

function withoutList(state: CapacityState): CapacityDecision {
  const pending = state.intent?.units ?? 0;
  const reason = 'the set could not be listed: nothing is bought or given back';
  return {
    state,
    plan: { targetUnits: 0, inServiceUnits: 0, pendingUnits: pending, deletions: [], reason },
  };
}

/** Forgets what is over: purchases that arrived or never will, drained ones that are gone. */
function settle(
  { state, configuration, nowMs }: CapacityInput,
  own: readonly Throughput[],
): { readonly state: CapacityState; readonly lost?: PurchaseIntent | undefined } {
  const { intent } = state;
  const arrived = intent !== undefined && own.some((it) => it.name === intent.token);
  const patienceMs = configuration.provisioned.activationSeconds * 1_000;
  const lost = intent !== undefined && !arrived && nowMs - intent.atMs >= patienceMs;
  const known = new Set(own.map((it) => it.arn));
  const draining = Object.entries(state.drainingSinceMs).filter(([arn]) => known.has(arn));
  return {
    state: {
      ...state,
      intent: arrived || lost ? undefined : intent,
      drainingSinceMs: Object.fromEntries(draining),
    },
    lost: lost ? intent : undefined,
  };
}

interface Bought {
  readonly state: CapacityState;
  readonly purchase?: Purchase | undefined;
  readonly note?: string | undefined;
  readonly trouble?: string | undefined;
}

/** At most one purchase per activation latency; what is on its way counts as there. */
function buy(
  input: CapacityInput,
  own: readonly Throughput[],
  state: CapacityState,
  target: UnitTarget,
): Bought {
  const { alias, configuration, freeze, nowMs, dollarsPerHour } = input;
  const { enabled, activationSeconds } = configuration.provisioned;
  if (!enabled) return { state: { ...state, intent: undefined } };
  if (freeze.scaleOut) return { state, note: 'scaling out is frozen' };
  if (state.intent !== undefined) return { state, purchase: purchaseOf(state.intent) };

  const serving = unitsOf(own.filter((it) => isServing(it) && !isDraining(state, it)));
  const shelf = {
    alias,
    billedUnits: unitsOf(own),
    haveUnits: serving + pendingUnits(own, state),
    dollarsPerHour,
  };
  const wish: Buying = buying(target, shelf, configuration, nowMs);
  if (wish.kind === 'nothing') return { state };
  if (wish.kind === 'unaffordable') return { state, trouble: wish.reason };
  const sinceMs = nowMs - (state.purchasedAtMs ?? -Infinity);
  if (isOnItsWay(own) || sinceMs < activationSeconds * 1_000) {
    return { state, note: 'the last purchase comes first' };
  }
  return {
    state: { ...state, intent: wish.intent, purchasedAtMs: nowMs },
    purchase: purchaseOf(wish.intent),
  };
}

function purchaseOf({ token, units, cause, reason }: PurchaseIntent): Purchase {
  return { token, units, cause, reason };
}

function weighted(own: readonly Throughput[], state: CapacityState): readonly WeightedThroughput[] {
  return own.filter(isServing).map((it) => ({
    arn: it.arn,
    units: it.units,
    weight: isDraining(state, it) ? 0 : it.units,
  }));
}

function pendingUnits(own: readonly Throughput[], { intent }: CapacityState): number {
  return unitsOf(own.filter(({ status }) => status === 'creating')) + (intent?.units ?? 0);
}

function unitsOf(throughputs: readonly Throughput[]): number {
  return throughputs
    .filter(({ status }) => status !== 'failed')
    .reduce((sum, it) => sum + it.units, 0);
}

function reasonOf(target: UnitTarget, drained: Draining, { purchase, note }: Bought): string {
  const parts = [
    target.reason,
    ...(drained.reason === undefined ? [] : [drained.reason]),
    ...(purchase === undefined ? [] : [`buying ${purchase.units}`]),
    ...(note === undefined ? [] : [note]),
  ];
  return parts.join('; ');
}
