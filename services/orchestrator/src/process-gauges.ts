import { monitorEventLoopDelay } from 'node:perf_hooks';
import { METRICS } from '@matsuri/contract';
import type { DatabasePool } from '@matsuri/database';
import type { Metrics } from '@matsuri/telemetry';

const NANOS_PER_MS = 1e6;
const RESOLUTION_MS = 20;

/** Watches the event loop and the database connections. */
export function gaugeProcess(
  metrics: Metrics,
  pool: Pick<DatabasePool, 'figures'>,
): { stop(): void } {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  metrics.gauge(METRICS.eventLoopDelay, () => {
    const worstMs = delay.max / NANOS_PER_MS - RESOLUTION_MS;
    delay.reset();
    return Math.max(0, worstMs);
  });
  let timeoutsTold = 0;
  metrics.gauge(METRICS.databasePoolActive, () => pool.figures().active);
  metrics.gauge(METRICS.databasePoolWaiting, () => pool.figures().waiting);
  metrics.gauge(METRICS.databasePoolTimeouts, () => {
    const { acquireTimeouts } = pool.figures();
    const fresh = acquireTimeouts - timeoutsTold;
    timeoutsTold = acquireTimeouts;
    return fresh;
  });
  return { stop: () => delay.disable() };
}
