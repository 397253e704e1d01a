import { PATHS } from '@matsuri/contract';
import { Drain, systemClock, type DrainStage } from '@matsuri/resilience';
import { createApp } from './app';
import type { Config } from './config';
import type { Context } from './context';
import { createHealthApp, type Readiness } from './health';
import { listen, type Listener } from './listener';

/** The running program. */
export interface Service {
  readonly port: number;
  readonly healthPort: number;
  readonly drain: Drain;
}

/** Opens both listeners; the drain it returns closes everything again, in order. */
export async function startService(config: Config, context: Context): Promise<Service> {
  const readiness = { ready: true };
  const app = createApp({
    ...context,
    platform: config.platform,
    adminToken: config.adminToken,
    allowedOrigins: config.allowedOrigins,
    clock: systemClock,
    wallClockMs: Date.now,
  });
  const { keepAliveMs, headersTimeoutMs } = config.platform.timeouts;
  const open = (fetch: Parameters<typeof listen>[0], port: number): Promise<Listener> =>
    listen(fetch, { port, keepAliveMs, headersTimeoutMs });
  const healthApp = createHealthApp(readiness);
  // Where hosts hand out ports, a load balancer can ask for readiness only where traffic goes.
  const api = await open(
    (request, ...rest) =>
      new URL(request.url).pathname === PATHS.ready
        ? healthApp.fetch(request)
        : app.fetch(request, ...rest),
    config.port,
  );
  const health = await open(healthApp.fetch, config.healthPort);

  const drain = new Drain({
    deadlineMs: config.platform.api.drain.drainSeconds * 1_000,
    stages: drainStages(context, readiness, { api, health }),
    left: () => api.left(),
    onStageError: (err, stage) => context.log.error('drain stage failed', { stage, err }),
  });
  return { port: api.port, healthPort: health.port, drain };
}

function drainStages(
  context: Context,
  readiness: Readiness,
  { api, health }: Readonly<Record<'api' | 'health', Listener>>,
): DrainStage[] {
  const turnAway = (): undefined => {
    readiness.ready = false;
  };
  const flush = (): undefined => {
    context.metrics.close();
  };
  return [
    { name: 'readiness', run: turnAway },
    { name: 'requests', run: () => api.finish(), maxMs: REQUESTS_MAX_MS },
    { name: 'database', run: () => context.closePools() },
    { name: 'listeners', run: () => endAll([api, health]) },
    { name: 'metrics', run: flush },
  ];
}

/** Longer than any request may take: its body, a wait for a connection, its statements. */
const REQUESTS_MAX_MS = 30_000;

async function endAll(listeners: readonly Listener[]): Promise<void> {
  for (const listener of listeners) listener.cut();
  await Promise.all(listeners.map((listener) => listener.finish()));
}
