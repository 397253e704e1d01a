import { defaultConfiguration, type PlatformConfiguration } from '@matsuri/contract';
import type { RedisOptions } from 'ioredis';

type RedisPool = PlatformConfiguration['pools']['perTask']['redis'];

/** A client for limits fails at once rather than queue, and is back soon after its server. */
export function limitRedisOptions(pool: Pick<RedisPool, 'connectTimeoutMs' | 'socketTimeoutMs'>) {
  return {
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: pool.connectTimeoutMs,
    // Whoever gives up on a command leaves it in the client: only the end of the connection takes it out.
    socketTimeout: pool.socketTimeoutMs,
    retryStrategy: (attempt: number) => Math.min(50 * 2 ** Math.min(attempt, 5), 1_000),
  } as const satisfies RedisOptions;
}

export const LIMIT_REDIS_OPTIONS = limitRedisOptions(defaultConfiguration.pools.perTask.redis);
