import {
  ACROSS_TASKS,
  AWS_METRICS,
  CHAT_ALIASES,
  METRIC_PERIOD_SECONDS,
  METRICS,
  profileOf,
  type ChatAlias,
  type MetricStatistic,
  type PlatformConfiguration,
} from '@matsuri/contract';

/** One series to read. */
export interface MetricQuery {
  readonly id: string;
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly statistic: MetricStatistic | 'SampleCount';
  readonly periodSeconds: number;
}

/** One period of a series, by its start. */
export interface MetricPoint {
  readonly startMs: number;
  readonly value: number;
}

/** Points by the id of their query, in any order. An id that is absent was not answered. */
export type MetricAnswers = ReadonlyMap<string, readonly MetricPoint[]>;

/** What AWS publishes comes once a minute. */
export const AWS_PERIOD_SECONDS = 60;

/** Signals of the service as a whole, joined over all tasks. */
const SERVICE_SIGNALS = {
  inFlight: {
    metric: METRICS.activeBedrockInvocations,
    statistic: ACROSS_TASKS.activeBedrockInvocations,
  },
  waiting: { metric: METRICS.bedrockQueueDepth, statistic: 'Sum' },
  queueDepth: { metric: METRICS.bedrockQueueDepth, statistic: ACROSS_TASKS.bedrockQueueDepth },
  latency: { metric: METRICS.requestLatencyP99, statistic: ACROSS_TASKS.requestLatencyP99 },
} as const;

/** What is read of one profile that AWS serves. */
export const PROFILE_SIGNALS = {
  throttles: { metric: AWS_METRICS.bedrockThrottles, statistic: 'Sum' },
  input: { metric: AWS_METRICS.bedrockInputTokens, statistic: 'Sum' },
  output: { metric: AWS_METRICS.bedrockOutputTokens, statistic: 'Sum' },
  latency: { metric: AWS_METRICS.bedrockLatency, statistic: 'p99' },
} as const;

/** Calls that asked for a slot within a period. */
export const ARRIVALS_ID = 'arrivals';

/** How many tasks spoke in a period: beside every sum, to know whether it is whole. */
export const samplesOf = (id: string): string => `${id}_samples`;

export const tokensId = (model: number): string => `tokens_${model}`;
export const throttlesId = (model: number): string => `throttles_${model}`;
export const profileId = (signal: keyof typeof PROFILE_SIGNALS, profile: number): string =>
  `bedrock_${signal}_${profile}`;

/** A model or profile and the alias whose capacity it is part of. */
interface Owned {
  readonly name: string;
  readonly alias: ChatAlias;
}

/** Chat models, each with the alias that names it first. */
export function ownedModels({ models }: PlatformConfiguration): readonly Owned[] {
  return firstOf(
    CHAT_ALIASES.flatMap((alias) =>
      models.aliases[alias].flatMap(({ profile }) => {
        const name = profileOf(models, profile)?.model;
        return name === undefined ? [] : [{ name, alias }];
      }),
    ),
  );
}

/** Profiles called in the home region; the metrics of others are in other regions. */
export function ownedProfiles({ models, region }: PlatformConfiguration): readonly Owned[] {
  return firstOf(
    CHAT_ALIASES.flatMap((alias) =>
      models.aliases[alias]
        .filter((target) => target.region === region)
        .map(({ profile }) => ({ name: profile, alias })),
    ),
  );
}

/** Everything one cycle reads. */
export function queriesFor(configuration: PlatformConfiguration): readonly MetricQuery[] {
  const namespace = configuration.product.metricNamespace;
  const own = { namespace, periodSeconds: METRIC_PERIOD_SECONDS };
  const service = Object.entries(SERVICE_SIGNALS).flatMap(([id, { metric, statistic }]) =>
    withSamples({ ...own, id, name: metric.name, dimensions: {}, statistic }),
  );
  const arrivals = withSamples({
    ...own,
    id: ARRIVALS_ID,
    name: METRICS.poolAcquires.name,
    dimensions: { Pool: 'bedrock' },
    statistic: 'Sum',
  });
  const models = ownedModels(configuration).flatMap(({ name: Model }, at) => [
    ...withSamples({
      ...own,
      id: tokensId(at),
      name: METRICS.tokensPerSecond.name,
      dimensions: { Model },
      statistic: ACROSS_TASKS.tokensPerSecond,
    }),
    {
      ...own,
      id: throttlesId(at),
      name: METRICS.gatewayThrottles.name,
      dimensions: { Model },
      statistic: 'Sum',
    } as const,
  ]);
  return [...service, ...arrivals, ...models, ...profileQueries(configuration)];
}

function profileQueries(configuration: PlatformConfiguration): readonly MetricQuery[] {
  return ownedProfiles(configuration).flatMap(({ name: ModelId }, at) =>
    (['throttles', 'input', 'output', 'latency'] as const).map((signal) => {
      const { metric, statistic } = PROFILE_SIGNALS[signal];
      return {
        id: profileId(signal, at),
        namespace: metric.namespace,
        name: metric.name,
        dimensions: { ModelId },
        statistic,
        periodSeconds: AWS_PERIOD_SECONDS,
      };
    }),
  );
}

function withSamples(query: MetricQuery): readonly MetricQuery[] {
  return [query, { ...query, id: samplesOf(query.id), statistic: 'SampleCount' }];
}

function firstOf(owned: readonly Owned[]): readonly Owned[] {
  return owned.filter((it, at) => owned.findIndex(({ name }) => name === it.name) === at);
}
