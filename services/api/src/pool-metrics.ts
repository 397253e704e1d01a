import { METRICS } from '@matsuri/contract';
import type { DatabasePool } from '@matsuri/database';
import type { Metrics } from '@matsuri/telemetry';

/** Reports how busy a pool is, every period. Of several pools the busiest is seen. */
export function reportPool(
  metrics: Pick<Metrics, 'gauge' | 'declare'>,
  pool: Pick<DatabasePool, 'figures'>,
): void {
  let timeoutsBefore = 0;
  metrics.declare(METRICS.databasePoolTimeouts);
  metrics.gauge(METRICS.databasePoolActive, () => pool.figures().active);
  metrics.gauge(METRICS.databasePoolWaiting, () => pool.figures().waiting);
  metrics.gauge(METRICS.databasePoolTimeouts, () => {
    const { acquireTimeouts } = pool.figures();
    const fresh = acquireTimeouts - timeoutsBefore;
    timeoutsBefore = acquireTimeouts;
    return fresh;
  });
}
