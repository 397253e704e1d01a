import { z } from 'zod';
import { countSchema, percentSchema, positiveInteger } from './quantities';

/** The downstreams a task keeps a bounded pool of connections to. */
export const DOWNSTREAMS = ['sagemaker', 'bedrock', 'dynamodb', 'redis', 'opensearch'] as const;

export type Downstream = (typeof DOWNSTREAMS)[number];

const poolSchema = z.strictObject({
  maxConnections: positiveInteger,
  minIdle: countSchema,
  idleTimeoutMs: positiveInteger,
  connectTimeoutMs: positiveInteger,
  /** Absent where a stream may run for an hour. */
  totalTimeoutMs: positiveInteger.optional(),
  /** Silence on the socket. */
  socketTimeoutMs: positiveInteger.optional(),
  /** Beyond this many waiting the caller is refused at once. */
  maxWaiting: countSchema,
  acquireTimeoutMs: positiveInteger,
});

export const poolsSchema = z.strictObject({
  /** From here a pool warns and asks for more tasks. */
  warnPercent: percentSchema,
  perTask: z.strictObject({
    sagemaker: poolSchema,
    bedrock: poolSchema,
    dynamodb: poolSchema,
    redis: poolSchema,
    opensearch: poolSchema,
  }),
});

const QUEUEING = { minIdle: 0, idleTimeoutMs: 120_000, maxWaiting: 200, acquireTimeoutMs: 1_000 };

export const DEFAULT_POOLS: z.input<typeof poolsSchema> = {
  warnPercent: 80,
  perTask: {
    sagemaker: {
      ...QUEUEING,
      maxConnections: 50,
      connectTimeoutMs: 5_000,
      totalTimeoutMs: 30_000,
    },
    // Twice the slots: a socket of an aborted stream may still be closing.
    bedrock: {
      ...QUEUEING,
      maxConnections: 100,
      connectTimeoutMs: 10_000,
      socketTimeoutMs: 300_000,
    },
    dynamodb: { ...QUEUEING, maxConnections: 50, connectTimeoutMs: 5_000 },
    redis: {
      ...QUEUEING,
      maxConnections: 100,
      minIdle: 10,
      connectTimeoutMs: 5_000,
      socketTimeoutMs: 5_000,
    },
    opensearch: {
      ...QUEUEING,
      maxConnections: 30,
      connectTimeoutMs: 5_000,
      totalTimeoutMs: 30_000,
    },
  },
};
