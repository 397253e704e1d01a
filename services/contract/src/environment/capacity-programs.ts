import { z } from 'zod';
import { PORTS } from '../names/http';
import {
  databaseSecrets,
  everyContainer,
  portVariable,
  redisSecrets,
  textOrAbsent,
  textVariable,
  urlOrAbsent,
} from './variables';

/** The autoscaler. */
export const autoscalerEnvironment = z.object({
  ...everyContainer,
  HEALTH_PORT: portVariable.default(PORTS.backgroundHealth),
  REDIS_URL: urlOrAbsent,
  AUTOSCALER_TABLE: textVariable,
  CLUSTER_NAME: textVariable,
  SERVICE_NAME: textVariable,
  PAGE_TOPIC_ARN: textVariable,
  /** What can wait until the morning; empty: it is only logged. */
  TICKET_TOPIC_ARN: textOrAbsent.default(''),
  /** `plan` decides and reports, and changes nothing. */
  MODE: z.enum(['plan', 'apply']).default('apply'),
});

export const autoscalerSecrets = z.object({ ...redisSecrets });

/** One-off: brings the database schema up to date. */
export const migrateEnvironment = z.object({ DATABASE_URL: z.url() });

export const migrateSecrets = z.object({
  ...databaseSecrets,
  /** The user that programs connect as is let in by its owner; absent: they connect as the owner. */
  PROGRAMS_USER: textVariable.optional(),
  PROGRAMS_PASSWORD: textVariable.optional(),
});

/** One-off: writes the catalogue and its search index; an advisory lock keeps it to one at a time. */
export const loadCatalogueEnvironment = z.object({
  ...everyContainer,
  DATABASE_URL: z.url(),
  CATALOGUE_TABLE: textVariable,
  OPENSEARCH_URL: z.url(),
  OPENSEARCH_INDEX: textVariable,
});

export const loadCatalogueSecrets = z.object({ ...databaseSecrets });
