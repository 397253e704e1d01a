import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SageMakerRuntimeClient } from '@aws-sdk/client-sagemaker-runtime';
import type { defaultProvider } from '@aws-sdk/credential-provider-node';
import type { PlatformConfiguration } from '@matsuri/contract';
import type { Ledger } from '@matsuri/database';
import { UNBOUNDED } from '@matsuri/resilience';
import type { Logger, Metrics } from '@matsuri/telemetry';
import type { Redis } from 'ioredis';
import type { BedrockCaller } from '../../gateway/adapters/bedrock/bedrock-caller';
import type { Gateway } from '../../gateway/gateway';
import type { Limiter } from '../../gateway/limits';
import type { Answerer, SessionStore } from '../ports';
import { awsClientSettings } from './adapters/aws-client-settings';
import { createBedrockEmbedder } from './adapters/bedrock-embedder';
import { openOpenSearch } from './adapters/opensearch-retriever';
import { createRedisAnswerCache } from './adapters/redis-answer-cache';
import { createRedisSharedStreams } from './adapters/redis-shared-streams';
import { createSageMakerIntent } from './adapters/sagemaker-intent';
import { createAnswerer } from './create-answerer';
import { createSessionStore } from './create-session-store';
import { createDownstreams, utilisationsOf } from './downstreams';
import { createMitigations, type Mitigations } from './mitigations';
import { createModelIntent } from './model-intent';
import { startPreScale } from './pre-scale';
import { startPrewarming } from './prewarm';

export interface AnsweringOptions {
  readonly configuration: PlatformConfiguration;
  readonly region: string;
  readonly sessionsTable: string;
  readonly openSearch: { readonly url: string; readonly index: string };
  /** Empty: the small model classifies. */
  readonly intentEndpoint: string;
  /** Names this task among others. */
  readonly taskId: string;
  readonly credentials: ReturnType<typeof defaultProvider>;
  readonly gateway: Pick<Gateway, 'open' | 'complete' | 'modelsFor' | 'figures'>;
  readonly bedrock: Pick<BedrockCaller, 'embed'>;
  readonly ledger: Pick<Ledger, 'reserve' | 'settle' | 'recordCoalesced'>;
  /** The limits of API tokens. */
  readonly tokenLimiter: Limiter;
  /** @default nothing is cached, coalesced beyond this task, or mitigated */
  readonly redis?: Redis;
  readonly metrics: Metrics;
  readonly log: Logger;
  /** @default 10000 */
  readonly lookForPrewarmEveryMs?: number;
  /** @default 2000 */
  readonly readMitigationsEveryMs?: number;
}

export interface Answering {
  readonly answerer: Answerer;
  readonly sessions: SessionStore;
  /** What is mitigated now. */
  readonly mitigations: Pick<Mitigations, 'now'>;
  /** Prepares no more answers: the task leaves. */
  stopWarming(): void;
  /** Ends what runs by itself and closes the connections; wait for `answerer.idle()` first. */
  close(): Promise<void>;
}

/** Puts the answering half of a task together. None of its downstreams has to be reachable yet. */
export function openAnswering(options: AnsweringOptions): Answering {
  const { configuration, region, redis, gateway, metrics, log, credentials } = options;
  const { perTask } = configuration.pools;
  const downstreams = createDownstreams({ configuration, metrics, log });
  const preScale = startPreScale({
    configuration,
    redis,
    taskId: options.taskId,
    utilisations: () =>
      utilisationsOf(downstreams, { ...configuration.gateway, ...gateway.figures() }),
    log,
  });
  const { readMitigationsEveryMs: readEveryMs } = options;
  const mitigations = createMitigations({
    configuration,
    redis,
    ...(readEveryMs !== undefined && { readEveryMs }),
  });
  const dynamodb = new DynamoDBClient(awsClientSettings(region, credentials, perTask.dynamodb));
  const sagemaker = new SageMakerRuntimeClient(
    awsClientSettings(region, credentials, perTask.sagemaker),
  );
  const { url, index } = options.openSearch;
  const search = openOpenSearch({ url, index, region, credentials, pool: perTask.opensearch });
  const sessions = createSessionStore({
    configuration,
    downstreams,
    dynamodb,
    table: options.sessionsTable,
    ...(redis && { redis }),
  });
  const { intentEndpoint } = options;
  const answerer = createAnswerer({
    configuration,
    gateway,
    ledger: options.ledger,
    sessions,
    downstreams,
    intent:
      intentEndpoint === ''
        ? createModelIntent(gateway)
        : createSageMakerIntent(sagemaker, intentEndpoint),
    embed: createBedrockEmbedder({ ...options, models: configuration.models }),
    retrieve: search.retrieve,
    ...(redis && {
      cache: createRedisAnswerCache(redis),
      streams: createRedisSharedStreams({
        redis,
        taskId: options.taskId,
        run: (command) => downstreams.redis.run(UNBOUNDED, command),
      }),
    }),
    mitigations,
    metrics,
    log,
  });
  const prewarming =
    redis &&
    startPrewarming({
      configuration,
      redis,
      answerer,
      popularTitles: search.popularTitles,
      downstreams,
      gateway,
      taskId: options.taskId,
      log,
      ...(options.lookForPrewarmEveryMs !== undefined && {
        lookEveryMs: options.lookForPrewarmEveryMs,
      }),
    });
  return {
    answerer,
    sessions,
    mitigations,
    stopWarming: () => prewarming?.close(),
    async close() {
      prewarming?.close();
      mitigations.close();
      preScale.close();
      dynamodb.destroy();
      sagemaker.destroy();
      await search.close();
    },
  };
}
