/** The policies' settings as the platform's configuration writes them; their figures exist only there. */
import { defaultConfiguration, type PlatformConfiguration } from '@matsuri/contract';
import type { BreakerSettings } from './breaker';
import type { BulkheadSettings } from './bulkhead';
import type { RetryBudgetSettings } from './retry-budget';
import type { RetrySettings } from './retry-decision';

export function breakerSettings(breaker: PlatformConfiguration['breaker']): BreakerSettings {
  return {
    windowBuckets: breaker.windowBuckets,
    bucketMs: (breaker.windowSeconds * 1_000) / breaker.windowBuckets,
    minimumCalls: breaker.minimumCalls,
    failureRate: breaker.failureRatePercent / 100,
    // What is slow differs by downstream: whoever builds its breaker says so.
    slowCallMs: Infinity,
    slowCallRate: breaker.slowCallRatePercent / 100,
    openMs: breaker.openSeconds * 1_000,
    reopenFactor: breaker.reopenFactor,
    maxOpenMs: breaker.maxOpenSeconds * 1_000,
    openJitter: 0,
    halfOpenPermits: breaker.halfOpenPermits,
    successesToClose: breaker.successesToClose,
    maxHalfOpenWaitMs: breaker.halfOpenMaxWaitSeconds * 1_000,
  };
}

export function retrySettings(retry: PlatformConfiguration['retry']): RetrySettings {
  const { maxAttempts, baseDelayMs, maxDelayMs } = retry;
  return { maxAttempts, baseMs: baseDelayMs, capMs: maxDelayMs };
}

export function retryBudgetSettings(retry: PlatformConfiguration['retry']): RetryBudgetSettings {
  return {
    ratio: retry.budgetPercent / 100,
    minimum: retry.minimumConcurrentRetries,
    maxSaved: MAX_SAVED_RETRIES,
  };
}

// A quiet day must not pay for a storm.
const MAX_SAVED_RETRIES = 100;

type Pools = PlatformConfiguration['pools'];

/** So many at once, and so many who wait for their turn; a pool warns as all do. */
export function bulkheadSettings(
  pools: Pick<Pools, 'warnPercent'>,
  room: Pick<BulkheadSettings, 'maxConcurrent' | 'maxQueued'>,
): BulkheadSettings {
  return { ...unleased(pools), ...room };
}

// The gap between the two marks keeps the signal from flapping.
const RELIEVED_BELOW_WARNING = 0.1;

const unleased = (pools: Pick<Pools, 'warnPercent'>) => ({
  leaseMs: Infinity,
  pressureAt: pools.warnPercent / 100,
  relievedAt: Math.max(0, pools.warnPercent / 100 - RELIEVED_BELOW_WARNING),
});

export const DEFAULT_BREAKER = breakerSettings(defaultConfiguration.breaker);
export const DEFAULT_RETRY = retrySettings(defaultConfiguration.retry);
export const DEFAULT_RETRY_BUDGET = retryBudgetSettings(defaultConfiguration.retry);
export const DEFAULT_BULKHEAD = unleased(defaultConfiguration.pools);
