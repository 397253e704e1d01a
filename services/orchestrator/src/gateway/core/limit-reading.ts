/**
 * What is left of a limit, as callers are told: the contents of a bucket that holds a minute's amount and refills
 * evenly. Fed with what this process grants, it is exact for one process and an upper bound for several.
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

export function readLimit(bucket: MinuteBucket, perMinute: number, nowMs: number): LimitReading {
  const resetMs = Math.max(0, bucket.fullAtMs - nowMs);
  const used = (resetMs * perMinute) / MINUTE_MS;
  return { limit: perMinute, remaining: Math.max(0, Math.floor(perMinute - used)), resetMs };
}
