import type { MinuteLimits } from './minute-limits';
import type { CallAmounts } from './token-amounts';

/**
 * What is left of a limit, as callers are told: the contents of a bucket that holds a minute's amount and refills
 * evenly. Every grant of the shared limits says how it stands with all processes; where these cannot be asked it is
 * fed with what this process grants.
 */
export interface MinuteBucket {
  /** When it will be full again. */
  fullAtMs: number;
}

export interface LimitReading {
  readonly limit: number;
  readonly remaining: number;
  /** Until the limit is whole again. */
  readonly resetMs: number;
}

export interface LimitReadings {
  readonly requests?: LimitReading;
  readonly tokens?: LimitReading;
}

const MINUTE_MS = 60_000;

/** Takes an amount; a negative one is given back. */
export function takeFrom(
  bucket: MinuteBucket,
  perMinute: number,
  amount: number,
  nowMs: number,
): void {
  const refillMs = (amount * MINUTE_MS) / perMinute;
  bucket.fullAtMs = Math.max(nowMs, Math.max(nowMs, bucket.fullAtMs) + refillMs);
}

/** Both limits of a target or of a token. */
export interface MinuteBuckets {
  readonly requests: MinuteBucket;
  readonly tokens: MinuteBucket;
}

export interface LimitGrant {
  readonly perMinute: MinuteLimits;
  readonly amounts: CallAmounts;
  /** What the shared limits said of themselves, this grant included; `undefined`: they could not be asked. */
  readonly untilFullMs: Partial<CallAmounts> | undefined;
}

/** How limits stand after they granted a call: as they said, else by what they gave. */
export function noteGrant(
  buckets: MinuteBuckets,
  { perMinute, amounts, untilFullMs }: LimitGrant,
  nowMs: number,
): void {
  if (untilFullMs) {
    buckets.requests.fullAtMs = nowMs + (untilFullMs.requests ?? 0);
    buckets.tokens.fullAtMs = nowMs + (untilFullMs.tokens ?? 0);
  } else {
    takeFrom(buckets.requests, perMinute.requests, amounts.requests, nowMs);
    takeFrom(buckets.tokens, perMinute.tokens, amounts.tokens, nowMs);
  }
}

export function readLimit(bucket: MinuteBucket, perMinute: number, nowMs: number): LimitReading {
  const resetMs = Math.max(0, bucket.fullAtMs - nowMs);
  const used = (resetMs * perMinute) / MINUTE_MS;
  return { limit: perMinute, remaining: Math.max(0, Math.floor(perMinute - used)), resetMs };
}
