import type { Logger } from '@matsuri/telemetry';
import { Redis } from 'ioredis';

export interface OpenRedisOptions {
  readonly url: string;
  readonly password?: string | undefined;
  readonly log: Pick<Logger, 'debug'>;
}

/** A cycle comes every ten seconds: a server that is silent for longer than this is asked in the next. */
const TIMEOUT_MS = 2_000;

/** The connection to what the chat plane and the autoscaler tell each other. It does not have to be reachable yet. */
export function openRedis({ url, password, log }: OpenRedisOptions): Redis {
  const client = new Redis(url, {
    ...(password !== undefined && { password }),
    connectTimeout: TIMEOUT_MS,
    commandTimeout: TIMEOUT_MS,
    // A command that was given up stays in the client until its connection ends, and is not to be sent again then.
    socketTimeout: TIMEOUT_MS,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 1,
  });
  client.on('error', (err) => log.debug('redis', { err }));
  return client;
}
