import { z } from 'zod';
import { countSchema, positiveInteger } from './quantities';

/** Limits of the servers that every task connects to. */
export const dataSchema = z.strictObject({
  redis: z.strictObject({
    maxConnections: positiveInteger,
    /** Limits live beside caches: evicting a bucket would hand out a full one. */
    maxMemoryPolicy: z.enum(['noeviction', 'volatile-lru', 'volatile-ttl']),
  }),
  postgres: z.strictObject({
    maxConnections: positiveInteger,
    /** For migrations, the owner, and people at 3 a.m. */
    reservedConnections: countSchema,
  }),
});

export const DEFAULT_DATA: z.input<typeof dataSchema> = {
  // What one ElastiCache node accepts.
  redis: { maxConnections: 65_000, maxMemoryPolicy: 'noeviction' },
  // What Aurora Serverless derives from a maximum of 16 capacity units.
  postgres: { maxConnections: 3_360, reservedConnections: 50 },
};

/** What may be spent, whatever the traffic. */
export const spendSchema = z.strictObject({
  maxModelDollarsPerHour: positiveInteger,
  maxModelDollarsPerDay: positiveInteger,
});

export const DEFAULT_SPEND: z.input<typeof spendSchema> = {
  maxModelDollarsPerHour: 6_000,
  maxModelDollarsPerDay: 30_000,
};
