import {
  METRICS,
  type Downstream as DownstreamName,
  type PlatformConfiguration,
} from '@matsuri/contract';
import type { BulkheadView, Clock } from '@matsuri/resilience';
import type { Logger, Metrics } from '@matsuri/telemetry';
import { isDownstreamFault } from './adapters/downstream-fault';
import { Downstream, type Room } from './downstream';

/** Everything an answer is made from, each behind its own pool and breaker. */
export interface Downstreams {
  readonly intent: Downstream;
  readonly dynamodb: Downstream;
  readonly redis: Downstream;
  readonly embedding: Downstream;
  readonly opensearch: Downstream;
}

export interface DownstreamsOptions {
  readonly configuration: PlatformConfiguration;
  readonly metrics: Metrics;
  readonly log: Pick<Logger, 'warn'>;
  /** @default the process's monotonic clock */
  readonly clock?: Clock;
}

// A cache that takes longer than what it saves is none.
const REDIS_CAP_MS = 500;

/** Builds the ways to all downstreams, and reports how they fare every period. */
export function createDownstreams(options: DownstreamsOptions): Downstreams {
  const { configuration, metrics, log, clock } = options;
  const { perTask } = configuration.pools;
  const { branchCapMs } = configuration.answering;

  const build = (name: DownstreamName, room: Room, capMs = branchCapMs): Downstream => {
    const downstream = new Downstream({
      name,
      configuration,
      room,
      capMs,
      isFault: isDownstreamFault,
      onTransition: ({ from, to, reason }) =>
        log.warn('breaker', { downstream: name, from, to, reason }),
      onPressure: (change, { utilisation }) => {
        if (change === 'relieved') return;
        log.warn('a pool fills up', { pool: name, percent: Math.round(100 * utilisation) });
      },
      ...(clock && { clock }),
    });
    report(metrics, downstream);
    return downstream;
  };

  return {
    intent: build('sagemaker', socketsOf(perTask.sagemaker)),
    dynamodb: build('dynamodb', socketsOf(perTask.dynamodb)),
    redis: build('redis', commandsOf(perTask.redis), Math.min(REDIS_CAP_MS, branchCapMs)),
    embedding: build('embedding', {
      ...socketsOf(perTask.bedrock),
      // The rest is for the calls that hold a slot: they do not wait for a socket.
      maxConcurrent: perTask.bedrock.maxConnections - configuration.gateway.slotsPerTask,
    }),
    opensearch: build('opensearch', socketsOf(perTask.opensearch)),
  };
}

/** How much of each pool is in use now, by name. The models' pool is their slots, which the gateway keeps. */
export function utilisationsOf(
  downstreams: Downstreams,
  slots: { readonly active: number; readonly slotsPerTask: number },
): Readonly<Record<string, number>> {
  const all: readonly Downstream[] = Object.values(downstreams);
  return {
    ...Object.fromEntries(all.map((each) => [each.name, each.pool().utilisation])),
    bedrock: slots.active / slots.slotsPerTask,
  };
}

type Pools = PlatformConfiguration['pools']['perTask'];

const socketsOf = ({ maxConnections, ...queue }: Pools['dynamodb']): Room => ({
  ...queue,
  maxConcurrent: maxConnections,
});

const commandsOf = ({ maxCommands, ...queue }: Pools['redis']): Room => ({
  ...queue,
  maxConcurrent: maxCommands,
});

function report(metrics: Metrics, downstream: Downstream): void {
  const pool = { Pool: downstream.name };
  const fresh = (count: (view: BulkheadView) => number) => {
    let told = 0;
    return () => {
      const total = count(downstream.pool());
      const difference = total - told;
      told = total;
      return difference;
    };
  };
  metrics.gauge(METRICS.breakerOpen, () => Number(downstream.open), {
    Downstream: downstream.name,
  });
  metrics.declare(METRICS.breakerFallbacks, { Downstream: downstream.name });
  metrics.gauge(METRICS.poolUtilization, () => 100 * downstream.takePeakUtilisation(), pool);
  metrics.gauge(
    METRICS.poolAcquires,
    fresh((view) => view.acquires),
    pool,
  );
  // A full queue refuses at once; to whoever asked, that is exhaustion too.
  metrics.gauge(
    METRICS.poolAcquireTimeouts,
    fresh(({ acquireTimeouts, rejections }) => acquireTimeouts + rejections),
    pool,
  );
}
