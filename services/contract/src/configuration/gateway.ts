import { z } from 'zod';
import { percentSchema, positiveInteger } from './quantities';

/** Requests/min an account has before it asked for more. */
export const ACCOUNT_DEFAULT_REQUESTS_PER_MINUTE = 500;

/** Admission to the models, per task unless it says otherwise. */
export const gatewaySchema = z.strictObject({
  /** Running and waiting together; health checks are exempt. */
  inFlightPerTask: positiveInteger,
  /** Calls running at once; a slot is held for the whole stream. */
  slotsPerTask: positiveInteger,
  /** A lease that is not renewed falls out by itself. */
  slotLeaseSeconds: positiveInteger,
  burstRequests: positiveInteger,
  /** Sent when the caller gave no max_tokens: an unset one would reserve the model's maximum. */
  defaultMaxTokens: positiveInteger,
  /** How soon the shared limits are used again after Redis came back. */
  redisReturnSeconds: positiveInteger,
  recycleAfterRequests: positiveInteger,
  /** Tasks that started together shall not have served their time together. */
  recycleJitterPercent: percentSchema,
  maxBodyBytes: positiveInteger,
  /** How long the result of an asynchronous completion can be fetched. */
  taskResultSeconds: positiveInteger,
});

export const DEFAULT_GATEWAY: z.input<typeof gatewaySchema> = {
  inFlightPerTask: 300,
  slotsPerTask: 50,
  slotLeaseSeconds: 30,
  burstRequests: 10,
  defaultMaxTokens: 1_024,
  redisReturnSeconds: 5,
  recycleAfterRequests: 10_000,
  recycleJitterPercent: 50,
  maxBodyBytes: 10 * 1_024 * 1_024,
  taskResultSeconds: 3_600,
};

/** Quota of one target (inference profile × calling region). */
const quotaSchema = z.strictObject({
  profile: z.string().min(1),
  region: z.string().min(1),
  requestsPerMinute: positiveInteger,
  tokensPerMinute: positiveInteger,
});

export const quotasSchema = z.array(quotaSchema);

export type Quota = Readonly<z.output<typeof quotaSchema>>;

/** What a new account gets; real figures are per account and belong into the environment. */
export const DEFAULT_TOKENS_PER_MINUTE = 2_000_000;

/** Credentials of callers. */
export const apiTokensSchema = z.strictObject({
  prefix: z.string().regex(/^[a-z]{2,8}_$/),
  randomBits: z.int().min(128),
  digest: z.literal('HMAC-SHA-256'),
  cacheSeconds: positiveInteger,
  /** A revocation is pushed; it holds everywhere after this long. */
  revocationSeconds: positiveInteger,
  slowValidationLogMs: positiveInteger,
  rotationOverlapSeconds: positiveInteger,
});

export const DEFAULT_API_TOKENS: z.input<typeof apiTokensSchema> = {
  prefix: 'mts_',
  randomBits: 256,
  digest: 'HMAC-SHA-256',
  cacheSeconds: 300,
  revocationSeconds: 1,
  slowValidationLogMs: 1_000,
  rotationOverlapSeconds: 24 * 3_600,
};

/** The usage ledger. */
export const ledgerSchema = z.strictObject({
  /** Every query names a period no longer than this. */
  maxQueryDays: positiveInteger,
  /** A process that said nothing for so long is dead: its tasks are lost, its reservations orphans. */
  leaseSeconds: positiveInteger,
  /** A reservation this old without a settlement is an orphan. */
  orphanAfterSeconds: positiveInteger,
  sweepSeconds: positiveInteger,
});

export const DEFAULT_LEDGER: z.input<typeof ledgerSchema> = {
  maxQueryDays: 90,
  leaseSeconds: 60,
  orphanAfterSeconds: 2 * 3_600,
  sweepSeconds: 60,
};
