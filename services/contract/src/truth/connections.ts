import type { PlatformConfiguration } from '../configuration/platform';
import { error, figure, type Contradiction } from './contradiction';

interface Holder {
  readonly path: string;
  readonly connections: number;
}

/** During a rolling update old and new tasks hold their pools at the same time. */
function whileDeploying(maxTasks: number, maxPercent: number): number {
  return Math.ceil((maxTasks * maxPercent) / 100);
}

/** An orchestrator's commands share one. */
const REDIS_CONNECTIONS_OF_AN_ORCHESTRATOR = 1;

/** Every task's Redis connections, at the highest task counts, fit the server. */
export function redisConnections(configuration: PlatformConfiguration): readonly Contradiction[] {
  const limit = configuration.data.redis.maxConnections;
  const { orchestrator, api, jobs, fleet, functions, scaling } = configuration;
  return overLimit('redis-connections', 'data.redis.maxConnections', limit, [
    {
      path: 'orchestrator',
      connections:
        REDIS_CONNECTIONS_OF_AN_ORCHESTRATOR *
        whileDeploying(scaling.maxTasks, orchestrator.deployment.maxPercent),
    },
    {
      path: 'api.redisConnectionsPerTask',
      connections:
        api.redisConnectionsPerTask * whileDeploying(api.maxTasks, api.deployment.maxPercent),
    },
    {
      path: 'jobs.redisConnectionsPerTask',
      connections: jobs.redisConnectionsPerTask * whileDeploying(jobs.maxTasks, 200),
    },
    {
      path: 'fleet.redisConnectionsPerWorker',
      connections: fleet.redisConnectionsPerWorker * (fleet.maxWorkers + fleet.warmWorkers),
    },
    {
      path: 'functions',
      connections:
        functions.workerControl.maximumConcurrency +
        functions.maintenanceWorker.reservedConcurrency,
    },
  ]);
}

/** Every task's PostgreSQL connections, at the highest task counts, fit the server. */
export function postgresConnections(
  configuration: PlatformConfiguration,
): readonly Contradiction[] {
  const { orchestrator, api, jobs, scaling, data } = configuration;
  const limit = data.postgres.maxConnections - data.postgres.reservedConnections;
  return overLimit('postgres-connections', 'data.postgres.maxConnections less reserved', limit, [
    {
      path: 'orchestrator.databaseConnectionsPerTask',
      connections:
        orchestrator.databaseConnectionsPerTask *
        whileDeploying(scaling.maxTasks, orchestrator.deployment.maxPercent),
    },
    {
      path: 'api.databasePool',
      connections:
        (api.databasePool.size + api.databasePool.overflow) *
        whileDeploying(api.maxTasks, api.deployment.maxPercent),
    },
    {
      path: 'jobs.databaseConnectionsPerTask',
      connections: jobs.databaseConnectionsPerTask * whileDeploying(jobs.maxTasks, 200),
    },
  ]);
}

function overLimit(
  id: string,
  limitName: string,
  limit: number,
  holders: readonly Holder[],
): Contradiction[] {
  const total = holders.reduce((sum, holder) => sum + holder.connections, 0);
  if (total <= limit) return [];
  const parts = holders.map((it) => `${it.path}: ${figure(it.connections)}`).join('; ');
  const largest = holders.reduce((a, b) => (b.connections > a.connections ? b : a));
  return [
    error(
      id,
      `All tasks together, during a rolling update at their maximum, open ${figure(total)} connections, the server ` +
        `accepts ${figure(limit)} (${parts}): the last tasks to start cannot connect.`,
      `Lower ${largest.path} or its maximum task count, or raise ${limitName} to ${figure(total)}.`,
    ),
  ];
}
