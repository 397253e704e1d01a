import {
  METRICS,
  METRIC_PERIOD_SECONDS,
  type MetricDefinition,
  type PlatformConfiguration,
} from '@matsuri/contract';
import type { MetricDatum } from '@matsuri/local';
import type { CapacityWorld } from './world';

const PERIOD_MS = METRIC_PERIOD_SECONDS * 1_000;
const COMPLEX = 'claude-sonnet-5';
const SIMPLE = 'claude-haiku-4-5';
/** Tokens a second that one call in flight receives. */
const TOKENS_PER_CALL = 12;
const ORDINARY_LATENCY_MS = 1_500;
const CROWDED_LATENCY_MS = 6_000;

/** What users ask for in one period. */
export interface Demand {
  readonly tokensPerSecond: number;
  /** Refusals of Bedrock, for the complex model. */
  readonly throttles?: number;
}

/** Publishes, at the end of every period, what the running tasks would say about a demand. Returns how to end it. */
export function publishTraffic(
  world: CapacityWorld,
  demandAt: (nowMs: number) => Demand,
): () => void {
  const { clock, cloudwatch, configuration } = world;
  let cancel = (): void => undefined;
  const arm = (startMs: number): void => {
    const endMs = startMs + PERIOD_MS;
    cancel = clock.after(endMs - clock.nowMs(), () => {
      const tasks = Math.max(1, world.running());
      cloudwatch.put(metricsOf(configuration, tasks, demandAt(startMs), startMs));
      arm(endMs);
    });
  };
  arm(Math.floor(clock.nowMs() / PERIOD_MS) * PERIOD_MS);
  return () => cancel();
}

/** What so many tasks together say about one period. */
export function metricsOf(
  configuration: PlatformConfiguration,
  tasks: number,
  demand: Demand,
  timestampMs: number,
): MetricDatum[] {
  const calls = demand.tokensPerSecond / TOKENS_PER_CALL;
  const inFlight = Math.min(calls, tasks * configuration.gateway.slotsPerTask);
  const waiting = calls - inFlight;
  const served = inFlight * TOKENS_PER_CALL;

  // Every task says its share once a period.
  const said = (metric: MetricDefinition, value: number, dimensions = {}): MetricDatum => ({
    namespace: configuration.product.metricNamespace,
    name: metric.name,
    dimensions,
    timestampMs,
    storageResolutionSeconds: 1,
    samples: [{ value, count: tasks }],
  });
  const latency = waiting > 0 ? CROWDED_LATENCY_MS : ORDINARY_LATENCY_MS;
  const throttles = demand.throttles ?? 0;
  return [
    said(METRICS.activeBedrockInvocations, inFlight / tasks),
    said(METRICS.bedrockQueueDepth, waiting / tasks),
    said(METRICS.requestLatencyP99, latency),
    said(METRICS.tokensPerSecond, (served * 0.7) / tasks, { Model: COMPLEX }),
    said(METRICS.tokensPerSecond, 0, { Model: 'claude-sonnet-4-6' }),
    said(METRICS.tokensPerSecond, (served * 0.3) / tasks, { Model: SIMPLE }),
    ...(throttles > 0
      ? [said(METRICS.gatewayThrottles, throttles / tasks, { Model: COMPLEX })]
      : []),
  ];
}
