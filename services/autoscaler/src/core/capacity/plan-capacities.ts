import { CHAT_ALIASES, type ChatAlias } from '@matsuri/contract';
import type { Cycle } from '../cycle';
import { queueIsEmergency } from '../floors/emergency-floor';
import { onDemandTokensPerSecond, setDollarsPerHour } from '../model-capacity';
import type { ModelFigures } from '../plan';
import type { AutoscalerState } from '../state';
import { planCapacity, type CapacityDecision } from './plan-capacity';

type PerAlias<T> = Readonly<Record<ChatAlias, T>>;

/** One alias after the other: they share the budget, and the second sees what the first spends. */
export function planCapacities(
  cycle: Cycle,
  figures: PerAlias<ModelFigures>,
): PerAlias<CapacityDecision> {
  const { before } = cycle;
  const complex = capacityOf(
    cycle,
    'complex',
    figures.complex,
    dollarsPerHour(cycle, before.capacity),
  );
  const simple = capacityOf(
    cycle,
    'simple',
    figures.simple,
    dollarsPerHour(cycle, { ...before.capacity, complex: complex.state }),
  );
  return { complex, simple };
}

/** What is listed, and what was ordered and is not listed yet: it will be billed too. */
function dollarsPerHour(
  { snapshot, configuration }: Cycle,
  capacity: AutoscalerState['capacity'],
): number {
  const { throughputs = [] } = snapshot;
  const price = configuration.provisioned.dollarsPerUnitHour;
  const ordered = CHAT_ALIASES.map((alias) => {
    const { intent } = capacity[alias];
    const listed = throughputs.some((it) => it.name === intent?.token);
    return intent === undefined || listed ? 0 : intent.units * price[alias];
  });
  return ordered.reduce((sum, it) => sum + it, setDollarsPerHour(throughputs, configuration));
}

function capacityOf(
  { before, snapshot, configuration, nowMs, measured, telemetry, mayShrink }: Cycle,
  alias: ChatAlias,
  figures: ModelFigures,
  spentPerHour: number,
): CapacityDecision {
  const model = measured.models[alias];
  return planCapacity({
    alias,
    state: before.capacity[alias],
    throughputs: snapshot.throughputs,
    figures,
    onDemandTokensPerSecond: onDemandTokensPerSecond(alias, model, configuration),
    throttles: model.throttles ?? 0,
    queueEmergency: queueIsEmergency(measured, configuration) === true,
    dollarsPerHour: spentPerHour,
    freeze: snapshot.freeze,
    telemetryComplete: telemetry.complete,
    mayShrink,
    configuration,
    nowMs,
  });
}
