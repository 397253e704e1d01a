import { CHAT_ALIASES, taskDollarsPerHour, type PlatformConfiguration } from '@matsuri/contract';
import { setDollarsPerHour } from './model-capacity';
import type { Snapshot } from './snapshot';

/** Dollars by the hour at list prices; a part that could not be read is undefined, never zero. */
export interface CostRate {
  /** Tasks of the chat service, running and starting. */
  readonly tasks: number | undefined;
  /** Provisioned units, those being drained or created included. */
  readonly units: number | undefined;
  /** On-demand tokens of the home region, as AWS counted them in the last minute. */
  readonly tokens: number | undefined;
}

/** What everything that is scaled costs now. */
export function costRateOf(
  { tasks, throughputs, models }: Snapshot,
  configuration: PlatformConfiguration,
): CostRate {
  return {
    tasks: sumOf([tasks && tasks.desired * taskDollarsPerHour(configuration)]),
    units: sumOf([throughputs && setDollarsPerHour(throughputs, configuration)]),
    tokens: sumOf(CHAT_ALIASES.map((alias) => models[alias].onDemandDollarsPerHour?.value)),
  };
}

/** All parts together; undefined as long as one of them is. */
export function totalOf({ tasks, units, tokens }: CostRate): number | undefined {
  return sumOf([tasks, units, tokens]);
}

/** A part that is missing, or no number, leaves the sum unknown. */
function sumOf(parts: readonly (number | undefined)[]): number | undefined {
  const sum = parts.reduce<number>((total, part) => total + (part ?? Number.NaN), 0);
  return Number.isFinite(sum) ? sum : undefined;
}
