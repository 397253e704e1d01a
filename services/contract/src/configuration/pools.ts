import { z } from 'zod';
import { countSchema, percentSchema, positiveInteger } from './quantities';

/** What a task has a bounded pool and a breaker for, as metrics name it. Embeddings share Bedrock's sockets, not its slots. */
export const DOWNSTREAMS = [
  'sagemaker',
  'bedrock',
  'embedding',
  'dynamodb',
  'redis',
  'opensearch',
] as const;

export type Downstream = (typeof DOWNSTREAMS)[number];

/** Beyond this many waiting the caller is refused at once; who waits longer is refused, too. */
const queueSchema = z.strictObject({
  maxWaiting: countSchema,
  acquireTimeoutMs: positiveInteger,
});

const poolSchema = queueSchema.extend({
  maxConnections: positiveInteger,
  idleTimeoutMs: positiveInteger,
  connectTimeoutMs: positiveInteger,
  /** Absent where a stream may run for an hour. */
  totalTimeoutMs: positiveInteger.optional(),
  /** Silence on the socket. */
  socketTimeoutMs: positiveInteger.optional(),
});

/** A task has one connection to Redis, which carries its commands in a row. */
const redisPoolSchema = queueSchema.extend({
  /** Under way at once. */
  maxCommands: positiveInteger,
  connectTimeoutMs: positiveInteger,
  /** Silence while an answer is due: what was sent has failed, and another connection is made. */
  socketTimeoutMs: positiveInteger,
});

export const poolsSchema = z.strictObject({
  /** From here a pool warns and asks for more tasks. */
  warnPercent: percentSchema,
  perTask: z.strictObject({
    sagemaker: poolSchema,
    bedrock: poolSchema,
    dynamodb: poolSchema,
    redis: redisPoolSchema,
    opensearch: poolSchema,
  }),
});

const QUEUE = { maxWaiting: 200, acquireTimeoutMs: 1_000 };
const POOL = { ...QUEUE, idleTimeoutMs: 120_000 };

export const DEFAULT_POOLS: z.input<typeof poolsSchema> = {
  warnPercent: 80,
  perTask: {
    sagemaker: {
      ...POOL,
      maxConnections: 50,
      connectTimeoutMs: 5_000,
      totalTimeoutMs: 30_000,
    },
    // Twice the slots: what those leave is for embeddings.
    bedrock: {
      ...POOL,
      maxConnections: 100,
      connectTimeoutMs: 10_000,
      socketTimeoutMs: 300_000,
    },
    dynamodb: { ...POOL, maxConnections: 50, connectTimeoutMs: 5_000 },
    redis: { ...QUEUE, maxCommands: 100, connectTimeoutMs: 5_000, socketTimeoutMs: 5_000 },
    opensearch: {
      ...POOL,
      maxConnections: 30,
      connectTimeoutMs: 5_000,
      totalTimeoutMs: 30_000,
    },
  },
};
