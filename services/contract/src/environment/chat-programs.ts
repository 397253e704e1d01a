import { z } from 'zod';
import { PORTS } from '../names/http';
import {
  databaseSecrets,
  everyContainer,
  listVariable,
  pepperRing,
  portVariable,
  redisSecrets,
  textOrAbsent,
  textVariable,
  urlOrAbsent,
} from './variables';

/** The orchestrator: chat sessions and the model gateway. */
export const orchestratorEnvironment = z.object({
  ...everyContainer,
  PORT: portVariable.default(PORTS.orchestrator),
  HEALTH_PORT: portVariable.default(PORTS.orchestratorHealth),
  DATABASE_URL: z.url(),
  /** Empty: no Redis; every task limits itself to its share and nothing is cached. */
  REDIS_URL: urlOrAbsent,
  SESSIONS_TABLE: textVariable,
  CATALOGUE_TABLE: textVariable,
  OPENSEARCH_URL: z.url(),
  OPENSEARCH_INDEX: textVariable,
  /** Empty: the `simple` model classifies over the fixed label set. */
  INTENT_ENDPOINT: textOrAbsent,
  /** Its own target group, to see draining begin. */
  TARGET_GROUP_ARN: textVariable,
  /** Where a task finds out about itself; ECS sets it, no stack does. */
  ECS_CONTAINER_METADATA_URI_V4: z.url().optional(),
  ALLOWED_ORIGINS: listVariable,
});

export const orchestratorSecrets = z.object({
  ...databaseSecrets,
  ...redisSecrets,
  TOKEN_PEPPERS: pepperRing,
});

/** The management API. */
export const apiEnvironment = z.object({
  ...everyContainer,
  PORT: portVariable.default(PORTS.api),
  HEALTH_PORT: portVariable.default(PORTS.apiHealth),
  DATABASE_URL: z.url(),
  /** Reports are read here; the writer's address where there is no reader. */
  DATABASE_READER_URL: z.url(),
  REDIS_URL: urlOrAbsent,
  ALLOWED_ORIGINS: listVariable,
  /** Empty: this environment has no worker fleet. */
  WORKER_CONTROL_QUEUE_URL: urlOrAbsent,
});

export const apiSecrets = z.object({
  ...databaseSecrets,
  ...redisSecrets,
  TOKEN_PEPPERS: pepperRing,
  ADMIN_TOKEN: textVariable,
});
