import {
  CHAT_ALIASES,
  modelOfProfile,
  type ChatAlias,
  type PlatformConfiguration,
} from '@matsuri/contract';
import type { ModelFigures } from './plan';
import type { Throughput } from './snapshot';
import type { AutoscalerState } from './state';
import type { Measured, MeasuredModel } from './telemetry';

/** Each model in figures, by itself: an idle one does not make room in a full one. */
export function modelFigures(
  measured: Measured,
  predicted: Readonly<Record<ChatAlias, number | undefined>>,
  throughputs: readonly Throughput[],
  state: AutoscalerState,
  configuration: PlatformConfiguration,
): Readonly<Record<ChatAlias, ModelFigures>> {
  const of = (alias: ChatAlias) =>
    figuresOf(
      alias,
      measured.models[alias],
      predicted[alias],
      servingUnits(throughputs, alias, state.capacity[alias].drainingSinceMs),
      configuration,
    );
  return { complex: of('complex'), simple: of('simple') };
}

/** Units that calls are sent to now. */
function servingUnits(
  throughputs: readonly Throughput[],
  alias: ChatAlias,
  draining: Readonly<Record<string, number>>,
): number {
  return throughputs
    .filter((it) => it.alias === alias && isServing(it) && !Object.hasOwn(draining, it.arn))
    .reduce((sum, it) => sum + it.units, 0);
}

export function isServing({ status }: Throughput): boolean {
  return status === 'in_service' || status === 'updating';
}

/** What all units of the set cost by the hour. */
export function setDollarsPerHour(
  throughputs: readonly Throughput[],
  { provisioned }: PlatformConfiguration,
): number {
  return throughputs
    .filter(({ status }) => status !== 'failed')
    .reduce((sum, it) => sum + it.units * provisioned.dollarsPerUnitHour[it.alias], 0);
}

/** Plain tokens/s that the on-demand quotas of an alias let through, by the mix of input and output. */
export function onDemandTokensPerSecond(
  alias: ChatAlias,
  model: Pick<MeasuredModel, 'inputTokensPerSecond' | 'outputTokensPerSecond'>,
  configuration: PlatformConfiguration,
): number {
  const { models, quotas, traffic } = configuration;
  const targets = models.aliases[alias];
  const own = quotas.filter((quota) =>
    targets.some((it) => it.profile === quota.profile && it.region === quota.region),
  );
  const averageInput = traffic.averageInputTokens[alias];
  const averageOutput = traffic.averageOutputTokens[alias];
  const { input, output } = mixOf(model) ?? { input: averageInput, output: averageOutput };
  const burndown = modelOfProfile(models, targets[0]?.profile ?? '')?.outputBurndown ?? 1;
  const burned = input + output * burndown;
  const plainShare = burned === 0 ? 1 : (input + output) / burned;
  const byTokens = own.reduce((sum, it) => sum + it.tokensPerMinute, 0) * plainShare;
  const byRequests =
    own.reduce((sum, it) => sum + it.requestsPerMinute, 0) * (averageInput + averageOutput);
  return Math.min(byTokens, byRequests) / 60;
}

/** Aliases whose use passes what the figures allow. */
export function aliasesOver(
  figures: Readonly<Record<ChatAlias, ModelFigures>>,
  share: number,
): readonly ChatAlias[] {
  return CHAT_ALIASES.filter((alias) => (figures[alias].utilisation ?? 0) > share);
}

function mixOf({
  inputTokensPerSecond: input,
  outputTokensPerSecond: output,
}: Pick<MeasuredModel, 'inputTokensPerSecond' | 'outputTokensPerSecond'>):
  { readonly input: number; readonly output: number } | undefined {
  if (input === undefined || output === undefined || input + output === 0) return undefined;
  return { input, output };
}

function figuresOf(
  alias: ChatAlias,
  model: MeasuredModel,
  prolonged: number | undefined,
  units: number,
  configuration: PlatformConfiguration,
): ModelFigures {
  // A guess is worth something only beside a reading.
  const predicted = model.tokensPerSecond === undefined ? undefined : prolonged;
  // Without units their share in use is undefined; on demand there is still a quota to fill.
  const provisioned = units > 0;
  const capacity = provisioned
    ? units * configuration.provisioned.tokensPerSecondPerUnit[alias]
    : onDemandTokensPerSecond(alias, model, configuration);
  return {
    tokensPerSecond: model.tokensPerSecond,
    predictedTokensPerSecond: predicted,
    capacityTokensPerSecond: capacity,
    capacityIs: provisioned ? 'provisioned' : 'on_demand',
    utilisation: shareOf(model.tokensPerSecond, capacity),
    predictedUtilisation: shareOf(predicted, capacity),
  };
}

function shareOf(part: number | undefined, whole: number): number | undefined {
  return part === undefined || whole === 0 ? undefined : part / whole;
}
