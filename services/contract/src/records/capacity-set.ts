import { z } from 'zod';
import { CHAT_ALIASES, type ChatAlias } from '../models/model-schema';
import { redisKey } from '../redis/key';
import { defineRecord } from './shared-record';

const throughputSchema = z.object({
  /** Put into `modelId` of a call. */
  arn: z.string().startsWith('arn:'),
  units: z.int().positive(),
  /** Share of calls among the set; 0 while it is drained before deletion. */
  weight: z.number().nonnegative(),
});

/** Written by the autoscaler, read by the gateway, which spreads by weight and spills to on demand. */
export const bedrockCapacitySet = defineRecord({
  key: (alias: ChatAlias) => redisKey('capacity:bedrock', alias),
  schema: z.object({
    alias: z.enum(CHAT_ALIASES),
    throughputs: z.array(throughputSchema),
    epoch: z.int().nonnegative(),
  }),
  ttlSeconds: ({ autoscaler }) => autoscaler.floorExpirySeconds,
  absence: 'no provisioned throughput: every call goes to the on-demand targets of the catalogue',
});
