import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PlatformOverrides } from '@matsuri/contract';
import { createApiTokenRepository, createPool, migrate } from '@matsuri/database';
import {
  createTables,
  embedText,
  INTENT_ENDPOINT,
  postgres,
  requireRedis,
  seedCatalogue,
  startBedrockStandIn,
  startDynamodb,
  startElasticLoadBalancingStandIn,
  startOpenSearchStandIn,
  startRedis,
  startSageMakerStandIn,
  type BedrockStandIn,
  type BedrockStandInOptions,
  type RunningDynamodb,
  type RunningRedis,
  type TargetGroup,
} from '@matsuri/local';
import { gatewayEnvironment, newPepper } from '../harness/gateway-environment';
import { numberAt } from '../harness/json';
import { offeredModels } from '../harness/offered-models';
import { startProgramProcess, type ProgramProcess } from '../harness/program-process';

export interface ChatClusterOptions {
  readonly platform: PlatformOverrides;
  readonly bedrock?: BedrockStandInOptions;
  readonly tenants: readonly string[];
  /** After which the balancer cuts what a draining task still holds. */
  readonly deregistrationDelayMs: number;
}

/** One orchestrator behind the balancer. */
export interface ChatTask {
  readonly name: string;
  readonly port: number;
  readonly process: ProgramProcess;
}

/** Orchestrators behind a balancer, over real engines and stand-ins. */
export interface ChatCluster {
  /** The balancer. */
  readonly url: string;
  readonly bedrock: BedrockStandIn;
  readonly redis: RunningRedis;
  readonly dynamodb: RunningDynamodb;
  readonly databaseUrl: string;
  /** By tenant. */
  readonly apiTokens: ReadonlyMap<string, string>;
  readonly tasks: readonly ChatTask[];
  /** Of every task there has been. */
  readonly logs: readonly string[];
  /** Starts one more and waits until the balancer sends it work. */
  startTask(): Promise<ChatTask>;
  /** Takes a task out of the balancer, as ECS does before it says a word to the task. */
  deregister(task: ChatTask): void;
  forget(task: ChatTask): void;
  close(): Promise<void>;
}

const REGION = 'ap-northeast-1';
const INDEX = 'titles';
const EMBEDDING_DIMENSIONS = 1_024;
const ADDRESS = '127.0.0.1';

export async function startChatCluster(options: ChatClusterOptions): Promise<ChatCluster> {
  const closing: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const end of closing.splice(0).reverse()) await end();
  };
  try {
    return await build(options, closing, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function build(
  options: ChatClusterOptions,
  closing: (() => Promise<unknown>)[],
  close: () => Promise<void>,
): Promise<ChatCluster> {
  const kept = <T extends { close(): Promise<unknown> }>(part: T): T => {
    closing.push(() => part.close());
    return part;
  };
  const redis = kept(requireRedis(await startRedis()));
  const database = kept(await postgres());
  await migrate(database.url);
  const dynamodb = kept(await startDynamodb());
  await createTables(dynamodb.url, REGION);
  const bedrock = kept(
    await startBedrockStandIn({ models: [...offeredModels()], ...options.bedrock }),
  );
  const sagemaker = kept(await startSageMakerStandIn({ latencyMs: 5 }));
  const opensearch = kept(await startOpenSearchStandIn({ latencyMs: 0 }));
  for (const tenant of options.tenants) {
    const embed = (text: string) => Promise.resolve(embedText(text, EMBEDDING_DIMENSIONS));
    await seedCatalogue({ url: opensearch.url, index: INDEX, tenant, embed });
  }
  const balancing = kept(await startElasticLoadBalancingStandIn());
  const group = balancing.createTargetGroup({
    name: 'chat',
    path: '/readyz',
    intervalMs: 200,
    healthyThreshold: 1,
    deregistrationDelayMs: options.deregistrationDelayMs,
  });
  const balancer = await balancing.startBalancer(group.arn, { spreadMs: 0 });
  const metadata = kept(await startMetadata());
  const pepper = newPepper();
  const addresses = {
    databaseUrl: database.url,
    redisUrl: redis.url,
    bedrockUrl: bedrock.url,
  };
  const environment = {
    ...gatewayEnvironment(options.platform, addresses, pepper),
    OPENSEARCH_URL: opensearch.url,
    OPENSEARCH_INDEX: INDEX,
    INTENT_ENDPOINT,
    TARGET_GROUP_ARN: group.arn,
    ECS_CONTAINER_METADATA_URI_V4: metadata.url,
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url,
    AWS_ENDPOINT_URL_SAGEMAKER_RUNTIME: sagemaker.url,
    AWS_ENDPOINT_URL_ELASTIC_LOAD_BALANCING_V2: balancing.url,
  };
  const fleet = startFleet(environment, group);
  closing.push(() => fleet.close());
  return {
    url: balancer.url,
    bedrock,
    redis,
    dynamodb,
    databaseUrl: database.url,
    apiTokens: await issueTokens(database.url, pepper.ring, options.tenants),
    ...fleet,
    close,
  };
}

function startFleet(environment: Readonly<Record<string, string>>, group: TargetGroup) {
  const tasks: ChatTask[] = [];
  const logs: string[] = [];
  let started = 0;
  return {
    tasks,
    logs,
    async startTask(): Promise<ChatTask> {
      started += 1;
      const name = `task-${started}`;
      const process = await startProgramProcess({
        name,
        program: 'orchestrator',
        environment,
        readyMessage: 'serving',
      });
      const port = numberAt(process.ready, 'port') ?? 0;
      const task = { name, port, process };
      tasks.push(task);
      const healthy = group.targets().filter(({ state }) => state === 'healthy').length;
      group.register(ADDRESS, port, numberAt(process.ready, 'health_port'));
      await group.healthy(healthy + 1);
      return task;
    },
    deregister: (task: ChatTask) => group.deregister(ADDRESS, task.port),
    forget(task: ChatTask) {
      tasks.splice(tasks.indexOf(task), 1);
      logs.push(...task.process.log.lines);
    },
    close: () => Promise.all(tasks.map(({ process }) => process.end('SIGKILL'))),
  };
}

/** What ECS tells a task about itself. */
async function startMetadata() {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ Networks: [{ IPv4Addresses: [ADDRESS] }] }));
  });
  await new Promise<void>((resolve) => server.listen(0, ADDRESS, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${ADDRESS}:${port}/v4/task`,
    close: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}

async function issueTokens(
  databaseUrl: string,
  ring: Parameters<typeof createApiTokenRepository>[1],
  tenants: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const pool = createPool({ url: databaseUrl, applicationName: 'harness', maxConnections: 1 });
  const repository = createApiTokenRepository(pool, ring);
  const tokens = new Map<string, string>();
  for (const tenantId of tenants) {
    const { plaintext } = await repository.create({
      tenantId,
      userId: 'backend',
      name: 'harness',
      allowedModels: null,
      rpm: null,
      tpm: null,
      dayCapMicroUsd: null,
      monthCapMicroUsd: null,
      expiresAt: null,
    });
    tokens.set(tenantId, plaintext);
  }
  await pool.close();
  return tokens;
}
