import { z } from 'zod';
import { redisKey } from '../redis/key';
import { defineRecord } from './shared-record';

/** Written by the autoscaler ahead of an event; one orchestrator answers it under a lease, at low priority. */
export const prewarmRequest = defineRecord({
  key: () => redisKey('capacity:prewarm'),
  schema: z.object({
    requestId: z.string().min(1),
    event: z.string().min(1),
    /** How many of the most popular titles to answer ahead. */
    titles: z.int().positive(),
    notAfterMs: z.int().nonnegative(),
  }),
  ttlSeconds: () => 3 * 3_600,
  absence: 'nothing to warm',
});

/** Written by an orchestrator whose pools fill up; read by the autoscaler as an early want. */
export const preScaleSignal = defineRecord({
  key: (taskId: string) => redisKey('capacity:pre-scale', taskId),
  schema: z.object({
    pool: z.string().min(1),
    utilisationPercent: z.number().min(0).max(100),
    atMs: z.int().nonnegative(),
  }),
  ttlSeconds: ({ autoscaler }) => autoscaler.staleAfterSeconds,
  absence: 'the pools of that task are at ease, or the task is gone',
});
