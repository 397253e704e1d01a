import { z } from 'zod';
import { countSchema, positiveInteger } from './quantities';

const functionSchema = z.strictObject({
  timeoutSeconds: z.int().min(1).max(900),
  memoryMb: z.int().min(128),
});

/** Fed by a queue; its concurrency is capped on the event source, never by reservation. */
const queueFunctionSchema = functionSchema.extend({
  maximumConcurrency: z.int().min(2).max(1_000),
  batchSize: z.int().min(1).max(10),
});

/** Started by a clock; it ends its own work within `runSeconds`, well before the next start. */
const scheduledFunctionSchema = functionSchema.extend({
  periodSeconds: positiveInteger,
  runSeconds: positiveInteger,
  reservedConcurrency: positiveInteger,
});

export const functionsSchema = z.strictObject({
  workerControl: queueFunctionSchema,
  orderTasks: queueFunctionSchema,
  maintenance: scheduledFunctionSchema,
  maintenanceWorker: functionSchema.extend({ reservedConcurrency: positiveInteger }),
  poolManager: scheduledFunctionSchema,
});

export const DEFAULT_FUNCTIONS: z.input<typeof functionsSchema> = {
  workerControl: { timeoutSeconds: 60, memoryMb: 256, maximumConcurrency: 500, batchSize: 10 },
  orderTasks: { timeoutSeconds: 120, memoryMb: 256, maximumConcurrency: 500, batchSize: 10 },
  maintenance: {
    timeoutSeconds: 300,
    memoryMb: 256,
    periodSeconds: 60,
    runSeconds: 50,
    reservedConcurrency: 1,
  },
  maintenanceWorker: { timeoutSeconds: 30, memoryMb: 256, reservedConcurrency: 100 },
  poolManager: {
    timeoutSeconds: 60,
    memoryMb: 256,
    periodSeconds: 300,
    runSeconds: 50,
    reservedConcurrency: 1,
  },
};

/** What a small environment uses instead of 500. */
export const DEV_MAXIMUM_CONCURRENCY = 50;

const deadLettersSchema = z.strictObject({
  maxReceives: positiveInteger,
  retentionSeconds: positiveInteger,
});

const queueSchema = z.strictObject({
  visibilitySeconds: countSchema,
  retentionSeconds: positiveInteger,
  deadLetters: deadLettersSchema,
});

export const queuesSchema = z.strictObject({
  workerControl: queueSchema,
  orderTasks: queueSchema,
  /** No dead letters: an unclaimed claim is stale, and the reconciler repairs what it meant. */
  poolClaim: queueSchema.omit({ deadLetters: true }),
  stageTasks: queueSchema,
  stageResults: queueSchema,
});

const DAY_SECONDS = 86_400;
const DEAD_LETTERS = { maxReceives: 5, retentionSeconds: 14 * DAY_SECONDS };

export const DEFAULT_QUEUES: z.input<typeof queuesSchema> = {
  workerControl: {
    visibilitySeconds: 360,
    retentionSeconds: DAY_SECONDS,
    deadLetters: DEAD_LETTERS,
  },
  orderTasks: { visibilitySeconds: 720, retentionSeconds: DAY_SECONDS, deadLetters: DEAD_LETTERS },
  poolClaim: { visibilitySeconds: 10, retentionSeconds: 300 },
  stageTasks: { visibilitySeconds: 120, retentionSeconds: DAY_SECONDS, deadLetters: DEAD_LETTERS },
  stageResults: { visibilitySeconds: 60, retentionSeconds: DAY_SECONDS, deadLetters: DEAD_LETTERS },
};
