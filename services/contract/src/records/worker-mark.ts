import { z } from 'zod';
import { redisKey } from '../redis/key';
import { defineRecord } from './shared-record';

/** Kept alive by a worker that serves a user; a hint of liveness, never the proof of ownership. */
export const workerMark = defineRecord({
  key: (userId: string) => redisKey('worker:active', userId),
  schema: z.object({
    workerId: z.string().min(1),
    /** The assignment it serves; an older one is a worker that should be gone. */
    epoch: z.int().nonnegative(),
    taskArn: z.string().min(1),
    sinceMs: z.int().nonnegative(),
  }),
  ttlSeconds: ({ fleet }) => fleet.markSeconds,
  absence: 'unknown, not dead: the reconciler asks ECS and the fleet table before it acts',
});
