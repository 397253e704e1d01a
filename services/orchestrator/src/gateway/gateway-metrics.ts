import {
  METRICS,
  modelOfProfile,
  profileOf,
  type ModelCatalogue,
  type PlatformConfiguration,
} from '@matsuri/contract';
import type { Metrics } from '@matsuri/telemetry';
import { newLatencyWindow, noteLatency, takePercentile } from './core/latency-window';
import type { GatewayFigures } from './gateway';
import type { HttpObserver } from './http/http-observer';
import type { GatewayObserver } from './observer';
import type { CallTarget } from './ports';

export interface GatewayMetricsOptions {
  readonly metrics: Metrics;
  readonly configuration: PlatformConfiguration;
  readonly random?: () => number;
  readonly nowMs?: () => number;
}

/** What is read at the end of every period. */
interface GaugedParts {
  readonly figures: () => GatewayFigures;
  readonly openBreakers: () => number;
  readonly limiterDegraded: () => boolean;
}

const BEDROCK = 'bedrock';
const MICRO = 1e-6;

/** Turns what happens into the platform's metrics. */
export interface GatewayMetrics extends GatewayObserver, HttpObserver {
  validated(tookMs: number): void;
  gauge(parts: GaugedParts): void;
}

export function createGatewayMetrics(options: GatewayMetricsOptions): GatewayMetrics {
  const { metrics, configuration, random = Math.random } = options;
  const nowMs = options.nowMs ?? (() => performance.now());
  const { models: catalogue, gateway } = configuration;
  const latencies = newLatencyWindow();
  const rates = tokenRates(metrics, catalogue, nowMs);
  const modelName = ({ profile }: CallTarget): string =>
    profileOf(catalogue, profile)?.model ?? profile;
  const percentOfSlots = (active: number): number => (100 * active) / gateway.slotsPerTask;

  return {
    came(figures) {
      const { active } = figures;
      metrics.record(METRICS.bedrockQueueDepth, queueDepth(figures));
      metrics.record(METRICS.activeBedrockInvocations, active);
      metrics.record(METRICS.poolUtilization, percentOfSlots(active), { Pool: BEDROCK });
      metrics.record(METRICS.poolAcquires, 1, { Pool: BEDROCK });
    },
    turnedAway: (figures) => metrics.record(METRICS.bedrockQueueDepth, queueDepth(figures)),
    refused({ reason }) {
      metrics.record(METRICS.gatewayRefusals, 1, { Reason: reason });
      if (reason === 'overloaded')
        metrics.record(METRICS.poolAcquireTimeouts, 1, { Pool: BEDROCK });
      if (reason === 'answer-late') metrics.record(METRICS.longCalls, 1, { Limit: 'whole-answer' });
    },
    attempted: (addedMs) => metrics.record(METRICS.gatewayAddedLatency, addedMs),
    throttled: (target) =>
      metrics.record(METRICS.gatewayThrottles, 1, { Model: modelName(target) }),
    failedOver: (from) => metrics.record(METRICS.gatewayFailovers, 1, { Model: modelName(from) }),
    fellBack: () => metrics.record(METRICS.breakerFallbacks, 1, { Downstream: BEDROCK }),
    waited: (latencyMs) => noteLatency(latencies, latencyMs, random()),
    settled(target, usage, costMicroUsd) {
      const Model = modelName(target);
      rates.add(Model, usage.inputTokens + usage.outputTokens);
      metrics.record(METRICS.spendDollars, costMicroUsd * MICRO, { Model });
    },
    responded: (tookMs) => metrics.record(METRICS.responseTime, tookMs),
    clientLeft: () => metrics.record(METRICS.clientDisconnects, 1),
    validated: (tookMs) => metrics.record(METRICS.tokenValidation, tookMs),
    gauge({ figures, openBreakers, limiterDegraded }) {
      metrics.gauge(METRICS.bedrockQueueDepth, () => queueDepth(figures()));
      metrics.gauge(METRICS.activeBedrockInvocations, () => figures().active);
      metrics.gauge(METRICS.poolUtilization, () => percentOfSlots(figures().active), {
        Pool: BEDROCK,
      });
      metrics.gauge(METRICS.breakerOpen, openBreakers, { Downstream: BEDROCK });
      metrics.gauge(METRICS.limiterDegraded, () => Number(limiterDegraded()));
      metrics.gauge(METRICS.requestLatencyP99, () => takePercentile(latencies, 99));
      metrics.declare(METRICS.clientDisconnects);
    },
  };
}

/** Who is told to come back later waits as well: a queue is no shorter for standing outside. */
function queueDepth({ waiting, outside }: GatewayFigures): number {
  return waiting + outside;
}

/** Tokens per second of each chat model, over the period that ends. */
function tokenRates(metrics: Metrics, catalogue: ModelCatalogue, nowMs: () => number) {
  const counts = new Map<string, { tokens: number; sinceMs: number }>();
  for (const [profileId, { model }] of Object.entries(catalogue.profiles)) {
    if (counts.has(model) || modelOfProfile(catalogue, profileId)?.kind !== 'chat') continue;
    const count = { tokens: 0, sinceMs: nowMs() };
    counts.set(model, count);
    metrics.gauge(METRICS.tokensPerSecond, () => takeRate(count, nowMs()), { Model: model });
  }
  return {
    add(model: string, tokens: number): void {
      const count = counts.get(model);
      if (count) count.tokens += tokens;
    },
  };
}

function takeRate(count: { tokens: number; sinceMs: number }, nowMs: number): number {
  const seconds = Math.max(1e-3, (nowMs - count.sinceMs) / 1_000);
  const rate = count.tokens / seconds;
  count.tokens = 0;
  count.sinceMs = nowMs;
  return rate;
}
