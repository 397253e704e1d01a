import { z } from 'zod';
import { PORTS } from '../names/http';
import {
  everyContainer,
  everyProgram,
  portVariable,
  redisSecrets,
  textOrAbsent,
  textVariable,
  urlOrAbsent,
} from './variables';

/** A function reads secrets by reference: Lambda has no way to inject them. */
const redisByReference = { REDIS_URL: urlOrAbsent, REDIS_SECRET_ARN: textOrAbsent };

const startsWorkers = {
  CLUSTER_NAME: textVariable,
  WORKER_TASK_DEFINITION: textVariable,
  WORKER_CAPACITY_PROVIDER: textVariable,
};

export const workerControlEnvironment = z.object({
  ...everyProgram,
  ...redisByReference,
  ...startsWorkers,
  FLEET_TABLE: textVariable,
  POOL_CLAIM_QUEUE_URL: z.url(),
  /** Nudged after every claim, so that the pool is refilled at once. */
  POOL_MANAGER_FUNCTION: textVariable,
});

export const orderTasksEnvironment = z.object({
  ...everyProgram,
  FLEET_TABLE: textVariable,
  BROKER_URL: z.url(),
  ORDER_TASKS_QUEUE_ARN: textVariable,
  /** With which EventBridge Scheduler puts a delayed re-check on the queue. */
  SCHEDULER_ROLE_ARN: textVariable,
});

export const maintenanceEnvironment = z.object({
  ...everyProgram,
  FLEET_TABLE: textVariable,
  MAINTENANCE_WORKER_FUNCTION: textVariable,
});

export const maintenanceWorkerEnvironment = z.object({
  ...everyProgram,
  ...redisByReference,
  FLEET_TABLE: textVariable,
  CLUSTER_NAME: textVariable,
  WORKER_CONTROL_QUEUE_URL: z.url(),
});

export const poolManagerEnvironment = z.object({
  ...everyProgram,
  ...startsWorkers,
  FLEET_TABLE: textVariable,
});

/** The per-user process. */
export const workerEnvironment = z.object({
  ...everyContainer,
  HEALTH_PORT: portVariable.default(PORTS.backgroundHealth),
  REDIS_URL: urlOrAbsent,
  FLEET_TABLE: textVariable,
  POOL_CLAIM_QUEUE_URL: z.url(),
  STAGE_TASKS_QUEUE_URL: urlOrAbsent,
  STAGE_RESULTS_QUEUE_URL: urlOrAbsent,
  BROKER_URL: z.url(),
});

export const workerSecrets = z.object({ ...redisSecrets });

/** What RunTask adds for a worker that is started for a user instead of for the pool. */
export const workerAssignment = z.object({
  ASSIGNED_USER_ID: textVariable,
  ASSIGNED_EPOCH: z.coerce.number().int().nonnegative(),
});
