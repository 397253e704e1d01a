import { randomUUID } from 'node:crypto';
import { defaultProvider } from '@aws-sdk/credential-provider-node';
import {
  createApiTokenRepository,
  createCompletionTasks,
  createLedger,
  createPool,
  createTokenDirectory,
  listenForTokenChanges,
  type ApiTokenRepository,
  type CompletionTasks,
  type DatabasePool,
  type Ledger,
  type TokenChanges,
  type TokenDirectory,
} from '@matsuri/database';
import type { Logger } from '@matsuri/telemetry';
import type { Config } from './config';
import type { GatheringRedis } from './gateway/adapters/redis/gathering-redis';
import { openRedis } from './gateway/adapters/redis/open-redis';
import { createBedrockCaller, type BedrockCaller } from './gateway/adapters/bedrock/bedrock-caller';

/** What the program is connected to. */
export interface Clients {
  readonly redis?: GatheringRedis;
  readonly pool: DatabasePool;
  readonly ledger: Ledger;
  readonly tasks: CompletionTasks;
  readonly tokens: ApiTokenRepository;
  readonly tokenChanges: TokenChanges;
  readonly directory: TokenDirectory;
  readonly credentials: ReturnType<typeof defaultProvider>;
  readonly bedrock: BedrockCaller;
}

// Of the connections a task may hold, one listens for changes of tokens.
const LISTENING_CONNECTIONS = 1;
const APPLICATION = 'matsuri-orchestrator';
const REDIS_PATIENCE_MS = 2_000;

/** Makes the clients. None of them has to be reachable yet. */
export function openClients(config: Config, log: Logger): Clients {
  const { platform, databaseUrl: url } = config;
  const connection = { url, applicationName: APPLICATION };
  const maxConnections = platform.orchestrator.databaseConnectionsPerTask - LISTENING_CONNECTIONS;
  const pool = createPool({ ...connection, maxConnections: Math.max(1, maxConnections) });
  // One name for both: while the ledger keeps this process alive, its tasks are not given up.
  const owner = { instanceId: randomUUID(), leaseMs: platform.ledger.leaseSeconds * 1_000 };
  const tokenChanges = listenForTokenChanges(connection);
  const tokens = createApiTokenRepository(pool, config.peppers);
  const credentials = defaultProvider();
  const redis = redisOf(config, log);
  return {
    ...(redis && { redis }),
    pool,
    ledger: createLedger({ pool, ...owner }),
    tasks: createCompletionTasks({
      pool,
      ownerId: owner.instanceId,
      leaseMs: owner.leaseMs,
      maxPendingMs: maxPendingMs(platform),
      retentionMs: platform.gateway.taskResultSeconds * 1_000,
    }),
    tokens,
    tokenChanges,
    credentials,
    directory: createTokenDirectory({
      repository: tokens,
      changes: tokenChanges,
      ring: config.peppers,
      cacheMs: platform.apiTokens.cacheSeconds * 1_000,
      revocationMs: platform.apiTokens.revocationSeconds * 1_000,
    }),
    bedrock: createBedrockCaller({
      catalogue: platform.models,
      credentials,
      connections: platform.pools.perTask.bedrock,
      endpoint: config.bedrockEndpoint,
    }),
  };
}

// For what comes after the answer: writing it down, and a clock that is a little ahead.
const RECORDING_MS = 30_000;

/** No asynchronous completion pends longer than a whole answer may take and be recorded. */
export function maxPendingMs({ timeouts }: Config['platform']): number {
  return timeouts.nonStreamingTotalMs + RECORDING_MS;
}

function redisOf({ redis, platform }: Config, log: Logger): GatheringRedis | undefined {
  if (redis) return openRedis({ ...redis, pool: platform.pools.perTask.redis, log });
  log.warn('there is no Redis: this task keeps to its share of every limit');
  return undefined;
}

/** Gives Redis a moment to answer, so that the first calls are limited by what all tasks share. */
export async function awaitRedis(redis: GatheringRedis | undefined): Promise<void> {
  if (!redis || redis.status === 'ready') return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, REDIS_PATIENCE_MS);
    redis.once('ready', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Lets go of everything; what the ledger still has is written first. */
export async function closeClients(clients: Clients, ledgerPatienceMs: number): Promise<void> {
  await clients.tasks.close();
  await clients.ledger.close(ledgerPatienceMs);
  await clients.tokenChanges.close();
  await Promise.all([clients.pool.close(), clients.bedrock.close()]);
  clients.redis?.disconnect();
}
