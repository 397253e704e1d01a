import { startDynamodb } from './dynamodb/start-dynamodb';
import { dropAbandonedDatabases } from './postgres/fresh-database';
import { startPostgres } from './postgres/start-postgres';
import { silent } from './progress';
import type { OnProgress } from './progress';
import { startRedis } from './redis/start-redis';
import { sweepLeftovers } from './sweep';

/** Engines that are already there; each one named here is used instead of started. */
export interface EngineAddresses {
  readonly REDIS_URL?: string | undefined;
  readonly DATABASE_URL?: string | undefined;
  readonly AWS_ENDPOINT_URL_DYNAMODB?: string | undefined;
}

export interface EnginesOptions {
  /**
   * Where to look for engines that are already there.
   *
   * @default process.env
   */
  readonly addresses?: EngineAddresses;
  /**
   * Whether PostgreSQL flushes every commit to the disk.
   *
   * @default true
   */
  readonly durable?: boolean;
  readonly onProgress?: OnProgress;
}

/** The engines the platform stands on; those we started end with `close`, or with this process. */
export interface Engines {
  /** `undefined` where Redis cannot be had: `withoutRedisBecause` says why and what to install. */
  readonly redisUrl: string | undefined;
  readonly withoutRedisBecause: string | undefined;
  readonly databaseUrl: string;
  readonly dynamodbUrl: string;
  close(): Promise<void>;
}

/** Finds or starts Redis, PostgreSQL and DynamoDB, after cleaning up what killed runs left behind. */
export async function startEngines(options: EnginesOptions = {}): Promise<Engines> {
  const { addresses = process.env, durable = true, onProgress = silent } = options;
  const swept = await sweepLeftovers();
  if (swept > 0) onProgress(`Engines: cleaned up ${swept} left behind by killed runs`);

  const started: { close(): Promise<void> }[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(started.map((engine) => engine.close()));
  };
  const keep = <T extends { close(): Promise<void> }>(engine: T): T => {
    started.push(engine);
    return engine;
  };

  const redis = async () => {
    if (addresses.REDIS_URL) return { url: addresses.REDIS_URL, reason: undefined };
    const outcome = await startRedis(onProgress);
    if (outcome.kind === 'unavailable') return { url: undefined, reason: outcome.reason };
    return { url: keep(outcome.redis).url, reason: undefined };
  };
  const postgres = async (): Promise<string> => {
    if (!addresses.DATABASE_URL) return keep(await startPostgres({ durable, onProgress })).url;
    await dropAbandonedDatabases(addresses.DATABASE_URL);
    return addresses.DATABASE_URL;
  };
  const dynamodb = async (): Promise<string> =>
    addresses.AWS_ENDPOINT_URL_DYNAMODB ?? keep(await startDynamodb(onProgress)).url;

  const outcomes = await Promise.allSettled([redis(), postgres(), dynamodb()]);
  const [redisOutcome, databaseUrl, dynamodbUrl] = outcomes;
  if (
    redisOutcome.status === 'rejected' ||
    databaseUrl.status === 'rejected' ||
    dynamodbUrl.status === 'rejected'
  ) {
    await close();
    throw outcomes.find((outcome) => outcome.status === 'rejected')?.reason;
  }
  return {
    redisUrl: redisOutcome.value.url,
    withoutRedisBecause: redisOutcome.value.reason,
    databaseUrl: databaseUrl.value,
    dynamodbUrl: dynamodbUrl.value,
    close,
  };
}
