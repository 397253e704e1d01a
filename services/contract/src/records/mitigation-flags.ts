import { z } from 'zod';
import { MITIGATIONS } from '../configuration/mitigations';
import { redisKey } from '../redis/key';
import { defineRecord } from './shared-record';

const activeMitigationSchema = z.object({
  mitigation: z.enum(MITIGATIONS),
  /** Why, for a person who looks at 3 a.m. */
  reason: z.string(),
  sinceMs: z.int().nonnegative(),
});

/** Written by the autoscaler each cycle while it mitigates; read by every orchestrator. */
export const mitigationFlags = defineRecord({
  key: () => redisKey('capacity:mitigations'),
  schema: z.object({
    active: z.array(activeMitigationSchema),
    /** How long answers are cached while this record lives. */
    cacheSeconds: z.int().positive(),
    /** The writer's lease: a reader ignores a record older than one it has seen. */
    epoch: z.int().nonnegative(),
  }),
  ttlSeconds: ({ mitigations }) => mitigations.flagSeconds,
  absence: 'nothing is mitigated: normal cache time, models as chosen, no templates',
});
