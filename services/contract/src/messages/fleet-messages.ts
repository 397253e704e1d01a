import { z } from 'zod';
import {
  commandIdSchema,
  epochMsSchema,
  epochSchema,
  idSchema,
  secretArnSchema,
  versionSchema,
} from './ids';

const commandFields = {
  commandId: commandIdSchema,
  userId: idSchema,
  tenantId: idSchema,
  version: versionSchema,
  requestedAtMs: epochMsSchema,
};

/** On worker-control.fifo. Strict: a field nobody agreed on, such as credentials, is refused. */
export const workerCommandSchema = z.discriminatedUnion('action', [
  z.strictObject({
    ...commandFields,
    action: z.literal('start'),
    credentialsArn: secretArnSchema,
  }),
  z.strictObject({ ...commandFields, action: z.literal('stop'), reason: z.string().max(200) }),
]);

/** On order-tasks.fifo: verify with the broker what became of an order. */
export const orderTaskSchema = z.strictObject({
  ...commandFields,
  action: z.enum(['verify_fill', 'recheck']),
  orderId: idSchema,
  /** The assignment that placed the order. */
  epoch: epochSchema,
  attempt: z.int().positive(),
});

/** On pool-claim: a nudge to look at the fleet table now instead of at the next poll. */
export const poolClaimSchema = z.strictObject({
  commandId: commandIdSchema,
  workerId: idSchema,
  userId: idSchema,
  epoch: epochSchema,
});

/** Payload from `maintenance` to one `maintenance_worker`. */
export const maintenanceBatchSchema = z.strictObject({
  runId: commandIdSchema,
  shard: z.string().min(1),
  itemKeys: z.array(z.string().min(1)).min(1).max(100),
});

export type WorkerCommand = z.output<typeof workerCommandSchema>;
export type OrderTask = z.output<typeof orderTaskSchema>;
export type PoolClaim = z.output<typeof poolClaimSchema>;
export type MaintenanceBatch = z.output<typeof maintenanceBatchSchema>;

/** FIFO attributes: commands of one user, and tasks of one order, stay in order. */
export function fifoOf(message: WorkerCommand | OrderTask): {
  readonly groupId: string;
  readonly deduplicationId: string;
} {
  return {
    groupId: 'orderId' in message ? message.orderId : message.userId,
    deduplicationId: message.commandId,
  };
}
