import { z } from 'zod';
import { deploymentSchema, drainSchema } from './orchestrator';
import { countSchema, percentSchema, positiveInteger } from './quantities';

/** An EC2 instance type, as far as packing tasks on it is concerned. */
const instanceSchema = z.strictObject({
  type: z.string().min(1),
  cpuUnits: positiveInteger,
  memoryMb: positiveInteger,
  /** For the operating system and the ECS agent. */
  reservedMemoryMb: countSchema,
  /** Network interfaces; one is the host's own. */
  networkInterfaces: positiveInteger,
});

/** A capacity provider and the tasks it is packed with. */
export const hostsSchema = z.strictObject({
  instance: instanceSchema,
  tasksPerInstance: positiveInteger,
  minInstances: countSchema,
  maxInstances: positiveInteger,
  /** Below 100 the provider keeps spare instances. */
  targetCapacityPercent: z.int().min(1).max(100),
  networkMode: z.enum(['bridge', 'awsvpc']),
  task: z.strictObject({
    cpuUnits: positiveInteger,
    memorySoftMb: positiveInteger,
    memoryHardMb: positiveInteger,
  }),
  /** Of the instance metadata service: 1 keeps containers away from the role of their host. */
  metadataHopLimit: positiveInteger,
});

/** The API service on its own capacity provider. */
export const apiSchema = z.strictObject({
  hosts: hostsSchema,
  minTasks: positiveInteger,
  maxTasks: positiveInteger,
  deployment: deploymentSchema,
  drain: drainSchema,
  scaling: z.strictObject({
    cpuPercent: percentSchema,
    requestsPerTargetPerMinute: positiveInteger,
    scaleOutCooldownSeconds: countSchema,
    scaleInCooldownSeconds: countSchema,
  }),
  databasePool: z.strictObject({ size: positiveInteger, overflow: countSchema }),
  redisConnectionsPerTask: positiveInteger,
});

export const DEFAULT_API: z.input<typeof apiSchema> = {
  hosts: {
    instance: {
      type: 'm6i.large',
      cpuUnits: 2_048,
      memoryMb: 8_192,
      reservedMemoryMb: 512,
      networkInterfaces: 3,
    },
    tasksPerInstance: 2,
    minInstances: 2,
    maxInstances: 10,
    targetCapacityPercent: 80,
    networkMode: 'bridge',
    task: { cpuUnits: 1_024, memorySoftMb: 1_536, memoryHardMb: 3_072 },
    metadataHopLimit: 1,
  },
  minTasks: 2,
  maxTasks: 10,
  deployment: { minHealthyPercent: 100, maxPercent: 200 },
  drain: { drainSeconds: 110, stopTimeoutSeconds: 120, deregistrationDelaySeconds: 300 },
  scaling: {
    cpuPercent: 70,
    requestsPerTargetPerMinute: 1_000,
    scaleOutCooldownSeconds: 60,
    scaleInCooldownSeconds: 300,
  },
  databasePool: { size: 10, overflow: 20 },
  redisConnectionsPerTask: 10,
};
