/**
 * Keeps retries from multiplying an outage. Two conditions, both of which must hold:
 * - at most `ratio` of the requests alive at this moment may be retrying (or `minimum`, if more);
 * - over time there is at most one retry per 1/ratio requests, plus the opening `minimum`:
 *   every request earns `ratio` of a retry, so quick failures cannot turn the share over and over.
 */
export interface RetryBudgetSettings {
  readonly ratio: number;
  /** Retries that are allowed however few requests there are. */
  readonly minimum: number;
  /** Savings stop here, so that a quiet day does not pay for a storm. */
  readonly maxSaved: number;
}

export interface RetryBudgetState {
  readonly settings: RetryBudgetSettings;
  live: number;
  retrying: number;
  saved: number;
  refused: number;
}

export function createRetryBudget(settings: RetryBudgetSettings): RetryBudgetState {
  return { settings, live: 0, retrying: 0, saved: settings.minimum, refused: 0 };
}

export function requestStarted(budget: RetryBudgetState): void {
  budget.live++;
  budget.saved = Math.min(budget.settings.maxSaved, budget.saved + budget.settings.ratio);
}

export function requestEnded(budget: RetryBudgetState): void {
  budget.live--;
}

// Sums of `ratio` drift by a few ulps: five times 0.2 must buy one retry.
const ROUNDING = 1e-9;

/** Takes a retry from the budget; the taker gives it back with `retryEnded` when the attempt is over. */
export function tryRetry(budget: RetryBudgetState): boolean {
  const { ratio, minimum } = budget.settings;
  const share = Math.max(minimum, Math.floor(ratio * budget.live));
  if (budget.retrying >= share || budget.saved + ROUNDING < 1) {
    budget.refused++;
    return false;
  }
  budget.retrying++;
  budget.saved -= 1;
  return true;
}

export function retryEnded(budget: RetryBudgetState): void {
  budget.retrying--;
}
