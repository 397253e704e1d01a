import type { Random } from './clock';

export interface BackoffSettings {
  readonly baseMs: number;
  readonly capMs: number;
}

export interface RetrySettings extends BackoffSettings {
  /** Including the first. */
  readonly maxAttempts: number;
}

/** What the caller makes of an error. `retryAfterMs` is the other side's own wish. */
export type RetryVerdict =
  { readonly kind: 'retry'; readonly retryAfterMs?: number } | { readonly kind: 'final' };

export type RetryDecision =
  | { readonly kind: 'retry'; readonly delayMs: number }
  | { readonly kind: 'stop'; readonly reason: 'final' | 'attempts' | 'deadline' };

/** Full jitter: anywhere between nothing and the doubled, capped ceiling; `attempt` counts from 1. */
export function fullJitterMs(attempt: number, backoff: BackoffSettings, random: Random): number {
  const ceiling = Math.min(backoff.capMs, backoff.baseMs * 2 ** Math.min(attempt - 1, 30));
  return random() * ceiling;
}

/** A hint is a floor: jitter comes on top of it, or everyone would return in the same instant. */
export function decideRetry(
  failure: {
    readonly attempt: number;
    readonly verdict: RetryVerdict;
    readonly remainingMs: number;
  },
  settings: RetrySettings,
  random: Random,
): RetryDecision {
  const { attempt, verdict, remainingMs } = failure;
  if (verdict.kind === 'final') return { kind: 'stop', reason: 'final' };
  if (attempt >= settings.maxAttempts) return { kind: 'stop', reason: 'attempts' };
  const delayMs = (verdict.retryAfterMs ?? 0) + fullJitterMs(attempt, settings, random);
  if (delayMs >= remainingMs) return { kind: 'stop', reason: 'deadline' };
  return { kind: 'retry', delayMs };
}
