import { z } from 'zod';

/** Limits of one model in one region; an absent one does not apply. */
export const quotaLimitsSchema = z.object({
  requestsPerMinute: z.number().positive().optional(),
  tokensPerMinute: z.number().positive().optional(),
  tokensPerDay: z.number().positive().optional(),
});

export type QuotaLimits = z.output<typeof quotaLimitsSchema>;

/** Tokens of one call as its quota sees them. */
export interface QuotaUsage {
  readonly inputTokens: number;
  readonly cacheWriteInputTokens: number;
  readonly cacheReadInputTokens: number;
}

/** What is left, and when that was true: both refill with time. */
export interface QuotaState {
  readonly requests: number;
  readonly tokens: number;
  readonly tokensToday: number;
  readonly day: number;
  readonly atMs: number;
}

export type QuotaRefusal = 'requests' | 'tokens' | 'tokens-per-day';

export interface QuotaDecision {
  readonly state: QuotaState;
  readonly refused?: QuotaRefusal;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Taken from the quota when a call starts: all input, cached or not, and all it may answer. */
export function reservationOf(usage: QuotaUsage, maxTokens: number): number {
  return usage.inputTokens + usage.cacheWriteInputTokens + usage.cacheReadInputTokens + maxTokens;
}

/** What the call has cost once it is over: reads from the cache are free, output burns faster. */
export function chargeOf(usage: QuotaUsage, outputTokens: number, burndown: number): number {
  return usage.inputTokens + usage.cacheWriteInputTokens + outputTokens * burndown;
}

/** A full quota. */
export function freshQuota(limits: QuotaLimits, nowMs: number): QuotaState {
  return {
    requests: limits.requestsPerMinute ?? Infinity,
    tokens: limits.tokensPerMinute ?? Infinity,
    tokensToday: 0,
    day: Math.floor(nowMs / DAY_MS),
    atMs: nowMs,
  };
}

/** Takes one request and its reservation, or refuses and takes nothing. */
export function reserve(
  state: QuotaState,
  limits: QuotaLimits,
  reservation: number,
  nowMs: number,
): QuotaDecision {
  const now = refill(state, limits, nowMs);
  if (now.requests < 1) return { state: now, refused: 'requests' };
  if (now.tokens < reservation) return { state: now, refused: 'tokens' };
  if (now.tokensToday + reservation > (limits.tokensPerDay ?? Infinity)) {
    return { state: now, refused: 'tokens-per-day' };
  }
  return {
    state: {
      ...now,
      requests: now.requests - 1,
      tokens: now.tokens - reservation,
      tokensToday: now.tokensToday + reservation,
    },
  };
}

/** Gives back what was reserved and takes what was used; a high burndown may leave a debt. */
export function settle(
  state: QuotaState,
  limits: QuotaLimits,
  change: { readonly reserved: number; readonly charged: number },
  nowMs: number,
): QuotaState {
  const now = refill(state, limits, nowMs);
  const returned = change.reserved - change.charged;
  return {
    ...now,
    tokens: Math.min(now.tokens + returned, limits.tokensPerMinute ?? Infinity),
    tokensToday: Math.max(0, now.tokensToday - returned),
  };
}

function refill(state: QuotaState, limits: QuotaLimits, nowMs: number): QuotaState {
  const minutes = Math.max(0, nowMs - state.atMs) / MINUTE_MS;
  const day = Math.floor(nowMs / DAY_MS);
  return {
    requests: topUp(state.requests, limits.requestsPerMinute, minutes),
    tokens: topUp(state.tokens, limits.tokensPerMinute, minutes),
    tokensToday: day === state.day ? state.tokensToday : 0,
    day,
    atMs: Math.max(nowMs, state.atMs),
  };
}

function topUp(level: number, perMinute: number | undefined, minutes: number): number {
  return perMinute === undefined ? Infinity : Math.min(perMinute, level + perMinute * minutes);
}
