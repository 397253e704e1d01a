import type { PlatformConfiguration } from '@matsuri/contract';
import { RetryBudget, retryBudgetSettings, type Clock } from '@matsuri/resilience';
import { takeTrickle } from './core/retry-trickle';

/** The retries all calls have together. */
export type RetryAllowance = Pick<
  RetryBudget,
  'requestStarted' | 'requestEnded' | 'tryRetry' | 'retryEnded'
>;

// The smallest number of retries comes back this often, however quiet it is.
const TRICKLE_MS = 10_000;

/** A budget that requests and, slowly, time fill. */
export function createRetryAllowance(
  retry: PlatformConfiguration['retry'],
  clock: Clock,
): RetryAllowance {
  const settings = retryBudgetSettings(retry);
  const budget = new RetryBudget(settings);
  const trickle = {
    everyMs: TRICKLE_MS / settings.minimum,
    most: settings.minimum,
    lastAtMs: clock.nowMs(),
  };
  const requestsPerRetry = Math.ceil(1 / settings.ratio);

  const earn = (retries: number): void => {
    for (let left = retries * requestsPerRetry; left > 0; left -= 1) {
      budget.requestStarted();
      budget.requestEnded();
    }
  };

  return {
    requestStarted: () => budget.requestStarted(),
    requestEnded: () => budget.requestEnded(),
    retryEnded: () => budget.retryEnded(),
    tryRetry() {
      earn(takeTrickle(trickle, clock.nowMs()));
      return budget.tryRetry();
    },
  };
}
