import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { SERVICES } from '@matsuri/contract';
import { Drain } from '@matsuri/resilience';
import { createLogger, createMetrics, type Logger, type Metrics } from '@matsuri/telemetry';
import { openClients, type Clients } from './clients';
import type { Config } from './config';
import { serveHealth, type Health } from './health';
import { Leadership } from './leadership/leadership';
import { startLoop, type Loop } from './loop';
import type { Time } from './ports';
import { Reconciler } from './reconcile/reconciler';
import { systemTime } from './system-time';

/** The autoscaler while it runs. */
export interface Program {
  readonly healthPort: number;
  readonly log: Logger;
  /** Ends the program in order. */
  readonly drain: Drain;
}

// Tasks write their metrics when a period ends; the log driver carries them here within this.
const METRICS_ARRIVE_MS = 2_000;
// Below the 30 s that ECS gives a task.
const DRAIN_MS = 20_000;
/** So many intervals without a finished cycle, and the program counts as hung. */
const HUNG_INTERVALS = 6;

/** Builds the clients, wires the parts, and begins. */
export async function startProgram(config: Config, time: Time = systemTime): Promise<Program> {
  const { platform } = config;
  const owner = `${hostname()}/${process.pid}/${randomUUID().slice(0, 8)}`;
  const clock = (): number => time.nowMs();
  const log = createLogger({ service: SERVICES.autoscaler, level: config.logLevel, clock });
  const metrics = createMetrics({
    namespace: platform.product.metricNamespace,
    service: SERVICES.autoscaler,
    log,
    clock,
    schedule: (run, delayMs) => time.after(delayMs, run),
  });
  if (config.warnings.length > 0) {
    const ids = config.warnings.map(({ id }) => id);
    log.warn('the configuration has warnings, which cdk synth explains', { ids });
  }

  const clients = openClients(config, log);
  const { leaseSeconds, intervalSeconds } = platform.autoscaler;
  const leadership = new Leadership({
    table: clients.leaseTable,
    owner,
    leaseMs: leaseSeconds * 1_000,
    time,
  });
  const { sources, store, pager } = clients;
  const reconciler = new Reconciler({
    configuration: platform,
    mode: config.mode,
    owner,
    leadership,
    store,
    sources,
    pager,
    time,
    metrics,
    log,
  });

  let finishedAtMs = time.monotonicMs();
  const intervalMs = intervalSeconds * 1_000;
  const readiness = { ready: true };
  const health = await serveHealth({
    port: config.healthPort,
    isAlive: () => time.monotonicMs() - finishedAtMs < HUNG_INTERVALS * intervalMs,
    isReady: () => readiness.ready,
  });
  const loop = startLoop({
    intervalMs,
    offsetMs: METRICS_ARRIVE_MS,
    time,
    run: async () => {
      await reconciler.cycle();
      finishedAtMs = time.monotonicMs();
    },
  });
  log.info('running', { health_port: health.port, mode: config.mode, owner });
  const drain = shutdown({ readiness, loop, leadership, clients, metrics, health, log });
  return { healthPort: health.port, log, drain };
}

interface Running {
  readonly readiness: { ready: boolean };
  readonly loop: Loop;
  readonly leadership: Leadership;
  readonly clients: Clients;
  readonly metrics: Metrics;
  readonly health: Health;
  readonly log: Logger;
}

/** The cycle under way ends, the lease goes to whoever waits for it, then everything is closed. */
function shutdown(running: Running): Drain {
  const { readiness, loop, leadership, clients, metrics, health, log } = running;
  return new Drain({
    deadlineMs: DRAIN_MS,
    onStage: ({ name, outcome, tookMs }) =>
      log.info('drain', { stage: name, outcome, took_ms: Math.round(tookMs) }),
    onStageError: (err, stage) => log.error('drain', { stage, err }),
    stages: [
      {
        name: 'cycle',
        maxMs: DRAIN_MS / 2,
        run: () => {
          readiness.ready = false;
          return loop.stop();
        },
      },
      { name: 'lease', maxMs: DRAIN_MS / 4, run: () => leadership.release() },
      {
        name: 'connections',
        run: async () => {
          metrics.close();
          clients.close();
          await health.close();
        },
      },
    ],
  });
}
