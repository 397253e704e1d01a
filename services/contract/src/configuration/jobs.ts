import { z } from 'zod';
import { CONSUMER_GROUPS, TOPICS } from '../names/streaming';
import { positiveInteger } from './quantities';

/** The jobs plane: partitions, group membership, and how long anything is remembered. */
export const jobsSchema = z.strictObject({
  topic: z.string().min(1),
  consumerGroup: z.string().min(1),
  partitions: positiveInteger,
  minTasks: positiveInteger,
  maxTasks: positiveInteger,
  sessionTimeoutMs: positiveInteger,
  heartbeatMs: positiveInteger,
  /** A handler that does not return for this long is given up, healthy heartbeat or not. */
  maxPollIntervalMs: positiveInteger,
  failoverSeconds: positiveInteger,
  replicationFactor: positiveInteger,
  minInsyncReplicas: positiveInteger,
  topicRetentionDays: positiveInteger,
  /** How long a finished job's row, and with it the proof that it ran, is kept. */
  idempotencyDays: positiveInteger,
  /** The Redis fast path; correctness does not depend on it. */
  idempotencyKeyDays: positiveInteger,
  maxAttempts: positiveInteger,
  /** Against which slow jobs are judged. */
  processingBaselineMs: positiveInteger,
  databaseConnectionsPerTask: positiveInteger,
  redisConnectionsPerTask: positiveInteger,
  drainSeconds: positiveInteger,
  stopTimeoutSeconds: positiveInteger,
});

export const DEFAULT_JOBS: z.input<typeof jobsSchema> = {
  topic: TOPICS.jobCommands,
  consumerGroup: CONSUMER_GROUPS.jobs,
  partitions: 12,
  minTasks: 2,
  maxTasks: 6,
  sessionTimeoutMs: 6_000,
  heartbeatMs: 2_000,
  maxPollIntervalMs: 20_000,
  failoverSeconds: 30,
  replicationFactor: 3,
  minInsyncReplicas: 2,
  topicRetentionDays: 7,
  idempotencyDays: 30,
  idempotencyKeyDays: 7,
  maxAttempts: 5,
  processingBaselineMs: 1_000,
  databaseConnectionsPerTask: 10,
  redisConnectionsPerTask: 5,
  drainSeconds: 25,
  stopTimeoutSeconds: 60,
};
