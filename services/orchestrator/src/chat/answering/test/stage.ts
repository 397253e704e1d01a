import { randomUUID } from 'node:crypto';
import {
  configure,
  defaultConfiguration,
  type PlatformOverrides,
  type Residency,
} from '@matsuri/contract';
import { loadCatalogue } from '@matsuri/catalogue';
import { createLedger, createPool, migrate } from '@matsuri/database';
import {
  embedText,
  INTENT_ENDPOINT,
  postgres,
  seedCatalogue,
  startBedrockStandIn,
  startFaultProxy,
  startOpenSearchStandIn,
  startSageMakerStandIn,
} from '@matsuri/local';
import { LIMIT_REDIS_OPTIONS } from '@matsuri/resilience';
import { createLogger, createMetrics } from '@matsuri/telemetry';
import { Redis } from 'ioredis';
import { createBedrockCaller } from '../../../gateway/adapters/bedrock/bedrock-caller';
import { startRecordingRelay } from '../../../gateway/adapters/bedrock/test/recording-relay';
import { createGateway } from '../../../gateway/create-gateway';
import { createGatewayMetrics } from '../../../gateway/gateway-metrics';
import { createLimits } from '../../../gateway/limits';
import type { Question, SessionRef } from '../../ports';
import { openAnswering } from '../open-answering';
import { createSessionsTable, dynamodbClient } from './sessions-table';

export { degradationOf, endingsOf, partsOf, textOf, unheard } from './answer-parts';

const REGION = 'ap-northeast-1';
const DIMENSIONS = 1_024;

const QUOTAS = defaultConfiguration.quotas.map((quota) => ({
  ...quota,
  requestsPerMinute: 10_000_000,
  tokensPerMinute: 10_000_000_000,
}));

export interface StageOptions {
  readonly overrides?: PlatformOverrides;
  /** @default true */
  readonly withRedis?: boolean;
  /** @default the stand-in's */
  readonly intentEndpoint?: string;
  /** Where the tenant may be served. @default anywhere */
  readonly residencies?: Residency[];
}

/** What a model was asked, as it came over the wire. */
interface Prompt {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
}

export type AnsweringStage = Awaited<ReturnType<typeof setAnsweringStage>>;

/** The answering half among real engines and stand-ins, with a link to each that can be broken. */
export async function setAnsweringStage(options: StageOptions = {}) {
  const { withRedis = true, intentEndpoint = INTENT_ENDPOINT } = options;
  const run = randomUUID().slice(0, 8);
  const tenant = `tenant-${run}`;
  const configuration = configure({
    product: { name: tenant },
    quotas: QUOTAS,
    ...(options.residencies && { tenants: { [tenant]: { residencies: options.residencies } } }),
    ...options.overrides,
  });
  const [database, bedrock, sagemaker, opensearch] = await Promise.all([
    postgres(),
    startBedrockStandIn({ pacing: 'instant' }),
    startSageMakerStandIn({ latencyMs: 1 }),
    startOpenSearchStandIn({ latencyMs: 1, kind: 'vector-collection' }),
  ]);
  await migrate(database.url);
  const embed = (text: string) => Promise.resolve(embedText(text, DIMENSIONS));
  const seed = (tenantId: string) =>
    seedCatalogue({
      url: opensearch.url,
      index: 'catalogue',
      tenant: tenantId,
      kind: 'vector-collection',
      embed,
    });
  await seed(tenant);

  const dynamodbUrl = process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '';
  const redisUrl = process.env['REDIS_URL'] ?? '';
  const links = {
    intent: await linkTo(sagemaker.url),
    search: await linkTo(opensearch.url),
    embedding: await linkTo(bedrock.url),
    table: await linkTo(dynamodbUrl),
    redis: await linkTo(redisUrl),
  };
  const table = `sessions-${run}`;
  const dynamodb = dynamodbClient(dynamodbUrl);
  await createSessionsTable(dynamodb, table);

  const lines: string[] = [];
  const log = createLogger({
    service: 'answering-test',
    level: 'debug',
    write: (line) => lines.push(line),
  });
  const metrics = createMetrics({
    namespace: 'Test',
    service: 'answering-test',
    log,
    write: (line) => lines.push(line),
  });
  const credentials = () =>
    Promise.resolve({ accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' });
  const callerOf = (endpoint: string) =>
    createBedrockCaller({
      catalogue: configuration.models,
      connections: configuration.pools.perTask.bedrock,
      credentials,
      endpoint,
    });
  const relay = await startRecordingRelay(bedrock.url);
  const models = callerOf(relay.url);
  const embedder = callerOf(links.embedding.through(bedrock.url));
  const pool = createPool({
    url: database.url,
    applicationName: 'answering-test',
    maxConnections: 3,
  });
  const ledger = createLedger({ pool });
  const limits = createLimits({ configuration, log });
  const gateway = createGateway({
    configuration,
    models,
    ledger,
    limits,
    capacity: { throughputsOf: () => [] },
    observer: createGatewayMetrics({ metrics, configuration }),
    log,
  });
  const redis = new Redis(links.redis.through(redisUrl), { ...LIMIT_REDIS_OPTIONS });
  redis.on('error', () => undefined);
  await new Promise((resolve) => redis.once('ready', resolve));

  // The SDK reads these with its first call.
  process.env['AWS_ENDPOINT_URL_DYNAMODB'] = links.table.through(dynamodbUrl);
  process.env['AWS_ENDPOINT_URL_SAGEMAKER_RUNTIME'] = links.intent.through(sagemaker.url);
  const openTask = (taskId: string) =>
    openAnswering({
      configuration,
      region: REGION,
      sessionsTable: table,
      openSearch: { url: links.search.through(opensearch.url), index: 'catalogue' },
      intentEndpoint,
      taskId,
      credentials,
      gateway,
      bedrock: embedder,
      ledger,
      tokenLimiter: limits.tokens,
      ...(withRedis && { redis }),
      metrics,
      log,
      lookForPrewarmEveryMs: 50,
      readMitigationsEveryMs: 50,
    });
  const answering = openTask(run);
  const newSession = async (userId = 'user-1', tenantId = tenant): Promise<SessionRef> => {
    const session = { tenantId, userId, sessionId: randomUUID() };
    await answering.sessions.create(session);
    return session;
  };

  return {
    ...answering,
    configuration,
    tenant,
    table,
    links,
    bedrock,
    /** What the models were asked since the last time. */
    takePrompts: (): readonly Prompt[] => relay.take(),
    sagemaker,
    opensearch,
    redis,
    pool,
    dynamodb,
    gateway,
    seed,
    bestSellers: loadCatalogue().titles.toSorted((a, b) => a.popularity_rank - b.popularity_rank),
    newSession,
    /** Another task beside it, over the same engines. */
    openTask: () => openTask(randomUUID()),
    /** Everything that was logged or measured. */
    written: () => {
      metrics.flush();
      return lines;
    },
    ask(
      session: SessionRef,
      text: string,
      signal: AbortSignal = NEVER,
      changes: Partial<Question> = {},
    ) {
      return answering.answerer.answer(questionOf(session, text, changes), signal);
    },
    questionOf,
    async close() {
      await answering.answerer.idle();
      await answering.close();
      process.env['AWS_ENDPOINT_URL_DYNAMODB'] = dynamodbUrl;
      await ledger.close(2_000);
      redis.disconnect();
      metrics.close();
      await Promise.all([models.close(), embedder.close(), pool.close()]);
      dynamodb.destroy();
      await Promise.all(Object.values(links).map((link) => link.close()));
      await Promise.all([relay, bedrock, sagemaker, opensearch].map((part) => part.close()));
      await database.close();
    },
  };
}

const NEVER = new AbortController().signal;

function questionOf(session: SessionRef, text: string, changes: Partial<Question>): Question {
  return {
    session,
    messageId: randomUUID(),
    text,
    caller: {
      tenantId: session.tenantId,
      userId: session.userId,
      tokenId: null,
      allowedModels: null,
      residencies: null,
      requestsPerMinute: null,
      tokensPerMinute: null,
    },
    ...changes,
  };
}

function linkTo(url: string) {
  const { hostname, port } = new URL(url);
  return startFaultProxy({ upstream: { host: hostname, port: Number(port) } });
}
