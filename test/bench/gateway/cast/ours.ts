import { randomBytes } from 'node:crypto';

import { configure, encodeOverrides } from '@matsuri/contract';
import type {
  orchestratorEnvironment,
  orchestratorSecrets,
  PlatformOverrides,
  Provides,
} from '@matsuri/contract';
import { createApiTokenRepository, createPepperRing, createPool, migrate } from '@matsuri/database';
import { freshDatabase, NODE_FLAGS, requireRedis, startPostgres, startRedis } from '@matsuri/local';

import type { Target } from '../load/orders';
import type { Prompt } from './prompts';
import { freePort, startServer } from './server-process';
import type { ServerProcess } from './server-process';
import { CREDENTIALS, openAiRequests, REGION } from './wires';
import type { Workshop } from './workshop';

/** The engines under our gateway, and how a caller is let in. */
export interface OurStage {
  readonly redisPid: number;
  readonly postgresPid: number;
  readonly redisUrl: string;
  readonly databaseUrl: string;
  readonly pepper: string;
  readonly apiToken: string;
  close(): Promise<void>;
}

/** So much that even the share of one task among the most there may be refuses nobody. */
const PER_MINUTE = 2_000_000_000;
/** As many as the largest crowd, so that none of it waits for a slot or is turned away, as in production. */
const SLOTS = 1_000;
/** Scaling watches the queue: the truth check wants room for it beyond the slots. */
const IN_FLIGHT = 1_500;
/** A million dollars. */
const CAP_MICRO_USD = 1_000_000_000_000;

/** Every limit is checked on every call, and none is low enough to refuse one. */
function generousOverrides(): PlatformOverrides {
  const { quotas, pools } = configure();
  return {
    quotas: quotas.map(({ profile, region }) => ({
      profile,
      region,
      requestsPerMinute: PER_MINUTE,
      tokensPerMinute: PER_MINUTE,
    })),
    gateway: {
      inFlightPerTask: IN_FLIGHT,
      slotsPerTask: SLOTS,
      burstRequests: PER_MINUTE,
      recycleAfterRequests: 1_000_000_000,
    },
    pools: {
      perTask: { bedrock: { ...pools.perTask.bedrock, maxConnections: SLOTS + 1 } },
    },
  };
}

/** Redis, PostgreSQL that flushes every commit, the tables, and one API token with limits and caps. */
export async function prepareOurStage(): Promise<OurStage> {
  const redis = requireRedis(await startRedis());
  const server = await startPostgres({ durable: true });
  const close = async (): Promise<void> => {
    await Promise.all([redis.close(), server.close()]);
  };
  try {
    const database = await freshDatabase(server.url);
    await migrate(database.url);
    const pepper = randomBytes(32).toString('base64url');
    return {
      redisPid: redis.pid ?? 0,
      postgresPid: server.pid ?? 0,
      redisUrl: redis.url,
      databaseUrl: database.url,
      pepper,
      apiToken: await issueToken(database.url, pepper),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function issueToken(databaseUrl: string, pepper: string): Promise<string> {
  const pool = createPool({ url: databaseUrl, applicationName: 'bench', maxConnections: 1 });
  const ring = createPepperRing([{ version: 1, secret: Buffer.from(pepper, 'base64url') }]);
  const issued = await createApiTokenRepository(pool, ring).create({
    tenantId: 'bench',
    userId: 'bench',
    name: 'load generator',
    allowedModels: null,
    rpm: PER_MINUTE,
    tpm: PER_MINUTE,
    dayCapMicroUsd: CAP_MICRO_USD,
    monthCapMicroUsd: CAP_MICRO_USD,
    expiresAt: null,
  });
  await pool.close();
  return issued.plaintext;
}

/** Our gateway as it is deployed: the orchestrator's program, bundled, with every feature on. */
export async function startOurs(
  workshop: Workshop,
  stage: OurStage,
  model: ServerProcess,
  extra: {
    readonly nodeFlags?: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
  } = {},
): Promise<ServerProcess> {
  const program = workshop.bundle('services/orchestrator/src/main.ts');
  const healthPort = await freePort();
  return startServer({
    name: 'ours',
    folder: workshop.folder,
    measured: true,
    nodeArgs: () => [...NODE_FLAGS, ...(extra.nodeFlags ?? []), program],
    env: (port) => ({
      ...environmentOf(stage, port, healthPort),
      AWS_ENDPOINT_URL_BEDROCK_RUNTIME: model.origin,
      AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
      ...extra.env,
    }),
  });
}

type Variables = Omit<
  typeof orchestratorEnvironment.shape,
  `AWS_ENDPOINT_URL${string}` | `ECS_${string}`
>;

function environmentOf(stage: OurStage, port: number, healthPort: number) {
  const { username, password, ...database } = withoutCredentials(stage.databaseUrl);
  return {
    PORT: String(port),
    HEALTH_PORT: String(healthPort),
    LOG_LEVEL: 'info',
    AWS_REGION: REGION,
    PLATFORM_OVERRIDES: encodeOverrides(generousOverrides()),
    DATABASE_URL: database.url,
    DATABASE_USER: username,
    DATABASE_PASSWORD: password,
    REDIS_URL: stage.redisUrl,
    REDIS_PASSWORD: '',
    TOKEN_PEPPERS: `1:${stage.pepper}`,
    ALLOWED_ORIGINS: '',
    // Of the chat beside the gateway; nothing here is asked for on the gateway's path.
    SESSIONS_TABLE: 'bench-sessions',
    CATALOGUE_TABLE: 'bench-catalogue',
    OPENSEARCH_URL: 'http://127.0.0.1:9',
    OPENSEARCH_INDEX: 'bench',
    INTENT_ENDPOINT: '',
    TARGET_GROUP_ARN: 'bench',
  } satisfies Readonly<Record<keyof Variables, string>> &
    Provides<typeof orchestratorSecrets, string>;
}

function withoutCredentials(address: string) {
  const url = new URL(address);
  const { username, password } = url;
  url.username = '';
  url.password = '';
  return {
    url: url.href,
    username: decodeURIComponent(username),
    password: decodeURIComponent(password),
  };
}

export function ourTarget(
  server: ServerProcess,
  stage: OurStage,
  prompts: readonly Prompt[],
): Target {
  return {
    name: 'ours',
    origin: server.origin,
    wire: 'openai',
    requests: openAiRequests('simple', prompts, { authorization: `Bearer ${stage.apiToken}` }),
  };
}
