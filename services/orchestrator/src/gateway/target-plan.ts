import {
  CHAT_ALIASES,
  profileOf,
  targetName,
  type ChatAlias,
  type ModelTarget,
  type PlatformConfiguration,
} from '@matsuri/contract';
import type { Random } from '@matsuri/resilience';
import type { GatewayRefusal } from './core/gateway-refusal';
import { quotaLimits, throughputLimits } from './core/minute-limits';
import { chooseTargets, namesFor, targetTable, type TargetRules } from './core/model-targets';
import { drawThroughput, provisionedTarget, type Throughput } from './core/provisioned-share';
import type { GatewayCall } from './gateway';
import type { TargetState, TargetStates } from './target-states';

/** The provisioned throughputs of an alias as last heard of; none where nothing is known. */
export interface CapacitySets {
  throughputsOf(alias: ChatAlias): readonly Throughput[];
}

type Plan =
  | { readonly kind: 'targets'; readonly targets: readonly TargetState[] }
  | { readonly kind: 'refused'; readonly refusal: GatewayRefusal };

/** Knows where each call may go, in which order. */
export interface TargetPlan {
  planFor(call: Pick<GatewayCall, 'caller' | 'request'>): Plan;
  namesFor(rules: TargetRules): readonly string[];
}

export interface TargetPlanOptions {
  readonly configuration: PlatformConfiguration;
  readonly states: TargetStates;
  readonly capacity: CapacitySets;
  readonly random: Random;
}

export function createTargetPlan(options: TargetPlanOptions): TargetPlan {
  const { configuration, states, capacity, random } = options;
  const { models: catalogue, provisioned } = configuration;
  const quotas = quotaLimits(configuration.quotas);
  const table = targetTable(catalogue, quotas, configuration.region);

  const onDemand = (target: ModelTarget): TargetState | undefined => {
    const perMinute = quotas.get(targetName(target));
    return perMinute && states.of(target, perMinute);
  };

  /** Bought capacity comes first; what does not fit spills to on demand. */
  const bought = (
    alias: ChatAlias,
    first: ModelTarget,
    { residencies }: TargetRules,
  ): TargetState | undefined => {
    const throughput = drawThroughput(capacity.throughputsOf(alias), random());
    if (!throughput) return undefined;
    const target = provisionedTarget(first, throughput);
    // A throughput answers where it was bought: for a tenant bound to a place, that must be one of the profile's own.
    const homes = profileOf(catalogue, first.profile)?.callableFrom ?? [];
    if (residencies !== null && !homes.includes(target.region)) return undefined;
    const perUnit = provisioned.tokensPerSecondPerUnit[alias];
    return states.of(target, throughputLimits(throughput.units, perUnit));
  };

  return {
    namesFor: (rules) => namesFor(table, catalogue, rules),
    planFor({ caller, request: { model } }) {
      const choice = chooseTargets(table, catalogue, model, caller);
      if (choice.kind === 'refused') {
        return { kind: 'refused', refusal: { reason: choice.reason, subject: model } };
      }
      const targets = choice.targets.map(onDemand).filter((state) => state !== undefined);
      const alias = CHAT_ALIASES.find((name) => name === model);
      const [first] = choice.targets;
      const provisionedState = alias && first && bought(alias, first, caller);
      return {
        kind: 'targets',
        targets: provisionedState ? [provisionedState, ...targets] : targets,
      };
    },
  };
}
