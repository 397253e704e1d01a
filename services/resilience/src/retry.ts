import type { Clock, Random } from './core/clock';
import { remainingMs } from './core/deadline';
import { decideRetry, type RetrySettings, type RetryVerdict } from './core/retry-decision';
import {
  createRetryBudget,
  requestEnded,
  requestStarted,
  retryEnded,
  tryRetry,
  type RetryBudgetSettings,
  type RetryBudgetState,
} from './core/retry-budget';
import { UNBOUNDED, type Scope } from './request-scope';
import { sleep } from './sleep';
import { systemClock } from './system-clock';
import { DEFAULT_RETRY, DEFAULT_RETRY_BUDGET } from './core/configured';

export type StopReason = 'final' | 'attempts' | 'deadline' | 'budget';

export interface RetryOptions {
  /** What an error means; what it does not know it must call final. */
  readonly classify: (error: unknown, attempt: number) => RetryVerdict;
  /** Shared by all requests to one downstream. */
  readonly budget: RetryBudget;
  /** @default DEFAULT_RETRY */
  readonly settings?: Partial<RetrySettings>;
  readonly onRetry?: (error: unknown, attempt: number, delayMs: number) => void;
  readonly onGiveUp?: (error: unknown, attempt: number, reason: StopReason) => void;
  readonly clock?: Clock;
  readonly random?: Random;
}

/** The retries that all requests to one downstream have together. */
export class RetryBudget {
  readonly #state: RetryBudgetState;

  constructor(settings: Partial<RetryBudgetSettings> = {}) {
    this.#state = createRetryBudget({ ...DEFAULT_RETRY_BUDGET, ...settings });
  }

  view(): Readonly<Omit<RetryBudgetState, 'settings'>> {
    return { ...this.#state };
  }

  requestStarted(): void {
    requestStarted(this.#state);
  }

  requestEnded(): void {
    requestEnded(this.#state);
  }

  tryRetry(): boolean {
    return tryRetry(this.#state);
  }

  retryEnded(): void {
    retryEnded(this.#state);
  }
}

/** Attempts until one succeeds or there is no point; then the last error is thrown as it was. */
export async function retry<T>(
  attempt: (attempt: number) => PromiseLike<T> | T,
  options: RetryOptions,
  scope: Scope = UNBOUNDED,
): Promise<T> {
  const { budget } = options;
  budget.requestStarted();
  let retrying = false;
  try {
    for (let n = 1; ; n++) {
      try {
        return await attempt(n);
      } catch (error) {
        if (retrying) budget.retryEnded();
        retrying = await waitToRetry(error, n, options, scope);
        if (!retrying) throw error;
      }
    }
  } finally {
    if (retrying) budget.retryEnded();
    budget.requestEnded();
  }
}

/** The budget is held through the wait: a retry that sleeps is a retry that comes. */
async function waitToRetry(
  error: unknown,
  attempt: number,
  options: RetryOptions,
  scope: Scope,
): Promise<boolean> {
  const { budget, classify, clock = systemClock, random = Math.random } = options;
  const giveUp = (reason: StopReason): false => {
    options.onGiveUp?.(error, attempt, reason);
    return false;
  };
  if (scope.signal.aborted) return giveUp('final');
  const decision = decideRetry(
    {
      attempt,
      verdict: classify(error, attempt),
      remainingMs: remainingMs(scope.deadlineAtMs, clock.nowMs()),
    },
    { ...DEFAULT_RETRY, ...options.settings },
    random,
  );
  if (decision.kind === 'stop') return giveUp(decision.reason);
  if (!budget.tryRetry()) return giveUp('budget');
  options.onRetry?.(error, attempt, decision.delayMs);
  try {
    await sleep(decision.delayMs, clock, scope.signal);
  } catch (aborted) {
    budget.retryEnded();
    throw aborted;
  }
  return true;
}
