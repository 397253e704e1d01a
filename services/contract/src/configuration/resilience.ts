import { z } from 'zod';
import { amountSchema, percentSchema, positiveInteger } from './quantities';

/** When a downstream's circuit opens, how long it stays so, and what closes it. */
export const breakerSchema = z.strictObject({
  failureRatePercent: percentSchema,
  minimumCalls: positiveInteger,
  windowSeconds: positiveInteger,
  windowBuckets: positiveInteger,
  openSeconds: positiveInteger,
  /** Consecutive reopenings multiply the wait by this, up to the maximum; closing resets it. */
  reopenFactor: z.number().min(1),
  maxOpenSeconds: positiveInteger,
  halfOpenPermits: positiveInteger,
  successesToClose: positiveInteger,
  /** A probe that has not come back by then counts as failed. */
  halfOpenMaxWaitSeconds: positiveInteger,
  slowCallRatePercent: percentSchema,
});

export const DEFAULT_BREAKER: z.input<typeof breakerSchema> = {
  failureRatePercent: 50,
  minimumCalls: 20,
  windowSeconds: 10,
  windowBuckets: 10,
  openSeconds: 30,
  reopenFactor: 2,
  maxOpenSeconds: 120,
  halfOpenPermits: 3,
  successesToClose: 3,
  halfOpenMaxWaitSeconds: 30,
  slowCallRatePercent: 100,
};

/** Our retries; the SDK's are off, so that every attempt takes a token and is counted once. */
export const retrySchema = z.strictObject({
  maxAttempts: positiveInteger,
  baseDelayMs: positiveInteger,
  maxDelayMs: positiveInteger,
  /** Retries in flight against requests in flight. */
  budgetPercent: percentSchema,
  /** Retries allowed however quiet it is, or the budget would forbid the only one. */
  minimumConcurrentRetries: positiveInteger,
  sdkMaxAttempts: z.literal(1),
});

export const DEFAULT_RETRY: z.input<typeof retrySchema> = {
  maxAttempts: 3,
  baseDelayMs: 50,
  maxDelayMs: 2_000,
  budgetPercent: 20,
  minimumConcurrentRetries: 3,
  sdkMaxAttempts: 1,
};

/** Fan-out of one message and the promises it is held to. */
export const answeringSchema = z.strictObject({
  branchCapMs: positiveInteger,
  historyTurns: positiveInteger,
  overheadP95Ms: positiveInteger,
  fanoutP95Ms: positiveInteger,
  endToEndMs: positiveInteger,
  poolExhaustionPercent: amountSchema,
  /** Latencies the downstreams are documented with; stand-ins and simulations start from them. */
  typicalMs: z.strictObject({
    intent: amountSchema,
    history: amountSchema,
    cache: amountSchema,
    simpleModel: amountSchema,
    complexModel: amountSchema,
    longContext: amountSchema,
  }),
});

export const DEFAULT_ANSWERING: z.input<typeof answeringSchema> = {
  branchCapMs: 5_000,
  historyTurns: 10,
  overheadP95Ms: 100,
  fanoutP95Ms: 50,
  endToEndMs: 3_000,
  poolExhaustionPercent: 0.01,
  typicalMs: {
    intent: 35,
    history: 10,
    cache: 2,
    simpleModel: 200,
    complexModel: 2_500,
    longContext: 8_000,
  },
};
