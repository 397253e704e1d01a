import type { GatewayRefusal } from './gateway-refusal';

/** Why an attempt came to nothing before its first content. */
export type AttemptFailure =
  /** Over the target's quota, by its own account. */
  | { readonly kind: 'throttled'; readonly retryAfterMs: number | undefined }
  | { readonly kind: 'unavailable' }
  /** No content in the time an attempt has. */
  | { readonly kind: 'late' }
  | { readonly kind: 'misconfigured' }
  | { readonly kind: 'invalid-request'; readonly message: string };

export interface FailoverState {
  /** Upstream calls made so far, this one included. */
  readonly attempts: number;
  readonly maxAttempts: number;
  /** Targets not tried in this round. */
  readonly untried: number;
}

/** `next`: on to a target not tried yet. `again`: all were tried, and quickly; begin anew after a pause. */
export type FailoverStep = 'next' | 'again' | 'stop';

/**
 * The targets are gone through once, in order; a request that the model itself refuses is refused by all. If they
 * failed so quickly that attempts are left, another round may find them mended.
 */
export function stepAfter(failure: AttemptFailure, state: FailoverState): FailoverStep {
  if (failure.kind === 'invalid-request') return 'stop';
  if (state.untried > 0) return 'next';
  const quick = failure.kind === 'unavailable' || failure.kind === 'throttled';
  return quick && state.attempts < state.maxAttempts ? 'again' : 'stop';
}

const DEFAULT_THROTTLE_WAIT_MS = 1_000;

/** What the caller is told when no target answered: what went wrong first, not what went wrong last. */
export function refusalAfter(failure: AttemptFailure, model: string): GatewayRefusal {
  switch (failure.kind) {
    case 'throttled':
      return {
        reason: 'upstream-throttled',
        subject: model,
        waitMs: failure.retryAfterMs ?? DEFAULT_THROTTLE_WAIT_MS,
      };
    case 'unavailable':
      return { reason: 'upstream-failed', subject: model };
    case 'late':
      return { reason: 'first-content-late', subject: model };
    case 'misconfigured':
      return { reason: 'upstream-misconfigured', subject: model };
    case 'invalid-request':
      return { reason: 'upstream-rejected', message: failure.message };
  }
}
