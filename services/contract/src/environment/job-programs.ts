import { z } from 'zod';
import { PORTS } from '../names/http';
import {
  databaseSecrets,
  everyContainer,
  listVariable,
  portVariable,
  redisSecrets,
  textVariable,
  urlOrAbsent,
} from './variables';

/** The jobs program. */
export const jobsEnvironment = z.object({
  ...everyContainer,
  HEALTH_PORT: portVariable.default(PORTS.backgroundHealth),
  DATABASE_URL: z.url(),
  REDIS_URL: urlOrAbsent,
  /** Empty: commands are read from the log in PostgreSQL. */
  KAFKA_BROKERS: listVariable,
  KAFKA_AUTHENTICATION: z.enum(['none', 'iam']),
  /** Names the member across restarts; a task that returns in time causes no rebalance. */
  GROUP_INSTANCE_ID: textVariable.optional(),
  STAGE_TASKS_QUEUE_URL: z.url(),
  STAGE_RESULTS_QUEUE_URL: z.url(),
});

export const jobsSecrets = z.object({ ...databaseSecrets, ...redisSecrets });
