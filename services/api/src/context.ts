import { serviceName, SERVICES } from '@matsuri/contract';
import {
  createApiTokenRepository,
  createPool,
  createUsageReports,
  type DatabasePool,
} from '@matsuri/database';
import { createLogger, createMetrics, createTracer } from '@matsuri/telemetry';
import type { Logger, Metrics, Tracer } from '@matsuri/telemetry';
import type { Config } from './config';
import { reportPool } from './pool-metrics';
import type { TokenStore, UsageSource } from './ports';

/** Everything with a lifetime, made once. */
export interface Context {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly tracer: Tracer;
  readonly tokens: TokenStore;
  readonly usage: UsageSource;
  /** Gives every database connection back. */
  closePools(): Promise<void>;
}

export function createContext(config: Config): Context {
  const service = serviceName(config.platform.product.name, 'api');
  const tracer = createTracer();
  const log = createLogger({ service, level: config.logLevel, trace: tracer.current });
  const namespace = config.platform.product.metricNamespace;
  const metrics = createMetrics({ namespace, service, log });
  const writer = openPool(config, config.databaseUrl);
  // Without a reader the one pool serves both, so that a task keeps to its share of connections.
  const reader =
    config.readerUrl === config.databaseUrl ? writer : openPool(config, config.readerUrl);
  const pools = [...new Set([writer, reader])];
  for (const pool of pools) reportPool(metrics, pool);
  return {
    log,
    metrics,
    tracer,
    tokens: createApiTokenRepository(writer, config.peppers),
    usage: createUsageReports(reader),
    closePools: async () => {
      await Promise.all(pools.map((pool) => pool.close()));
    },
  };
}

function openPool(config: Config, url: string): DatabasePool {
  const { size, overflow } = config.platform.api.databasePool;
  return createPool({
    url,
    applicationName: SERVICES.api,
    keptConnections: size,
    maxConnections: size + overflow,
  });
}
