import { z } from 'zod';
import { hostsSchema } from './hosts';
import { countSchema, positiveInteger } from './quantities';

/** The per-user workers: how they are packed, kept warm, and found dead. */
export const fleetSchema = z.strictObject({
  hosts: hostsSchema,
  maxWorkers: positiveInteger,
  warmWorkers: countSchema,
  markSeconds: positiveInteger,
  markRenewSeconds: positiveInteger,
  /** A worker younger than this is never taken for an orphan. */
  startGraceSeconds: positiveInteger,
  /** A dead worker is noticed within this. */
  noticeSeconds: positiveInteger,
  /** An assigned warm worker that has not activated by then is replaced through RunTask. */
  assignmentSeconds: positiveInteger,
  redisConnectionsPerWorker: positiveInteger,
  stopTimeoutSeconds: positiveInteger,
  drainSeconds: positiveInteger,
  typicalReadyMs: z.strictObject({ warm: positiveInteger, cold: positiveInteger }),
});

export const DEFAULT_FLEET: z.input<typeof fleetSchema> = {
  hosts: {
    instance: {
      type: 'r6i.large',
      cpuUnits: 2_048,
      memoryMb: 16_384,
      reservedMemoryMb: 512,
      networkInterfaces: 3,
    },
    tasksPerInstance: 30,
    minInstances: 1,
    maxInstances: 20,
    targetCapacityPercent: 90,
    networkMode: 'bridge',
    task: { cpuUnits: 64, memorySoftMb: 384, memoryHardMb: 1_024 },
    metadataHopLimit: 1,
  },
  maxWorkers: 500,
  warmWorkers: 10,
  markSeconds: 30,
  markRenewSeconds: 10,
  startGraceSeconds: 120,
  noticeSeconds: 60,
  assignmentSeconds: 10,
  redisConnectionsPerWorker: 2,
  stopTimeoutSeconds: 60,
  drainSeconds: 45,
  typicalReadyMs: { warm: 332, cold: 3_103 },
};
