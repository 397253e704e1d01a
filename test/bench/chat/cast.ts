import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { configure, encodeOverrides } from '@matsuri/contract';
import type {
  orchestratorEnvironment,
  orchestratorSecrets,
  PlatformOverrides,
  Provides,
} from '@matsuri/contract';
import { NODE_FLAGS, startFaultProxy } from '@matsuri/local';
import { z } from 'zod';

import type { Closers } from '../gateway/cast/cast';
import { prepareOurStage, type OurStage } from '../gateway/cast/ours';
import { freePort, startServer, type ServerProcess } from '../gateway/cast/server-process';
import type { Workshop } from '../gateway/cast/workshop';
import { CREDENTIALS, REGION } from '../gateway/cast/wires';
import { CACHE_MS } from './plan';

const TENANT = 'bench';
const INDEX = 'catalogue';
const PER_MINUTE = 2_000_000_000;

const downstreamsSchema = z.object({
  bedrock: z.string(),
  sagemaker: z.string(),
  opensearch: z.string(),
  dynamodb: z.string(),
  intentEndpoint: z.string(),
});

type Downstreams = z.output<typeof downstreamsSchema>;

export interface ChatCast {
  readonly server: ServerProcess;
  readonly apiToken: string;
}

/** One orchestrator as it is deployed, on a core of its own; everything else shares the others. */
export async function startChatCast(workshop: Workshop, closers: Closers): Promise<ChatCast> {
  const stage = await prepareOurStage();
  closers.push(() => stage.close());
  const downstreams = await startDownstreams(closers);
  const redisUrl = new URL(stage.redisUrl);
  const redis = await startFaultProxy({
    upstream: { host: redisUrl.hostname, port: Number(redisUrl.port) },
  });
  redis.add({ type: 'latency', latencyMs: CACHE_MS, direction: 'downstream' });
  closers.push(() => redis.close());
  const program = workshop.bundle('services/orchestrator/src/main.ts');
  const healthPort = await freePort();
  const server = await startServer({
    name: 'orchestrator',
    folder: workshop.folder,
    measured: true,
    nodeArgs: () => [...NODE_FLAGS, program],
    env: (port) => ({
      ...environmentOf(stage, downstreams, redis.through(stage.redisUrl)),
      PORT: String(port),
      HEALTH_PORT: String(healthPort),
    }),
  });
  closers.push(() => server.stop());
  return { server, apiToken: stage.apiToken };
}

async function startDownstreams(closers: Closers): Promise<Downstreams> {
  const root = process.cwd();
  const main = 'test/bench/chat/downstreams/main.ts';
  const child = spawn(
    'setpriv',
    ['--pdeathsig', 'KILL', process.execPath, '--import', 'tsx', main, REGION, TENANT, INDEX],
    { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  closers.push(async () => {
    if (child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  });
  for await (const line of createInterface({ input: child.stdout })) {
    return downstreamsSchema.parse(JSON.parse(line));
  }
  throw new Error('the downstreams did not start');
}

/** Slots and pools as shipped; quotas above what is offered, so that only the program itself refuses. */
function overrides(): PlatformOverrides {
  const { quotas } = configure();
  return {
    quotas: quotas.map(({ profile, region }) => ({
      profile,
      region,
      requestsPerMinute: PER_MINUTE,
      tokensPerMinute: PER_MINUTE,
    })),
    gateway: { burstRequests: PER_MINUTE, recycleAfterRequests: 1_000_000_000 },
  };
}

type Variables = Omit<
  typeof orchestratorEnvironment.shape,
  `AWS_ENDPOINT_URL${string}` | `ECS_${string}` | 'PORT' | 'HEALTH_PORT'
>;

function environmentOf(stage: OurStage, downstreams: Downstreams, redisUrl: string) {
  const database = new URL(stage.databaseUrl);
  const { username, password } = database;
  database.username = '';
  database.password = '';
  const told = {
    LOG_LEVEL: 'info',
    AWS_REGION: REGION,
    PLATFORM_OVERRIDES: encodeOverrides(overrides()),
    DATABASE_URL: database.href,
    DATABASE_USER: decodeURIComponent(username),
    DATABASE_PASSWORD: decodeURIComponent(password),
    REDIS_URL: redisUrl,
    REDIS_PASSWORD: '',
    TOKEN_PEPPERS: `1:${stage.pepper}`,
    ALLOWED_ORIGINS: '',
    SESSIONS_TABLE: 'sessions',
    CATALOGUE_TABLE: 'catalogue',
    OPENSEARCH_URL: downstreams.opensearch,
    OPENSEARCH_INDEX: INDEX,
    INTENT_ENDPOINT: downstreams.intentEndpoint,
    TARGET_GROUP_ARN: 'bench',
  } satisfies Readonly<Record<keyof Variables, string>> &
    Provides<typeof orchestratorSecrets, string>;
  return {
    ...told,
    AWS_ENDPOINT_URL_BEDROCK_RUNTIME: downstreams.bedrock,
    AWS_ENDPOINT_URL_SAGEMAKER_RUNTIME: downstreams.sagemaker,
    AWS_ENDPOINT_URL_DYNAMODB: downstreams.dynamodb,
    AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
  };
}
