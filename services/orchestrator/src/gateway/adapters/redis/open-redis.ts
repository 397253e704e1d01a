import type { PlatformConfiguration } from '@matsuri/contract';
import { limitRedisOptions } from '@matsuri/resilience';
import type { Logger } from '@matsuri/telemetry';
import { GatheringRedis } from './gathering-redis';

export interface OpenRedisOptions {
  readonly url: string;
  readonly password?: string | undefined;
  readonly pool: PlatformConfiguration['pools']['perTask']['redis'];
  readonly log: Pick<Logger, 'debug'>;
}

/** The task's one connection to Redis. It does not have to be reachable yet. */
export function openRedis({ url, password, pool, log }: OpenRedisOptions): GatheringRedis {
  const client = new GatheringRedis(url, {
    ...limitRedisOptions(pool),
    ...(password !== undefined && { password }),
  });
  // Every attempt to reconnect says the same; the limits themselves report when they change hands.
  client.on('error', (err) => log.debug('redis', { err }));
  // The limit of every target listens for the connection to come and go; there are more than ten.
  client.setMaxListeners(0);
  return client;
}
