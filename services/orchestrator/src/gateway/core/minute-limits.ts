import { targetName, type PlatformConfiguration } from '@matsuri/contract';
import type { CallAmounts } from './token-amounts';

/** Limits per minute. */
export interface MinuteLimits {
  readonly requests: number;
  readonly tokens: number;
}

/** Per minute; more than any caller could use, small enough for exact arithmetic. */
export const UNLIMITED = 1e12;

/** The quotas of the on-demand targets, by the target's name. */
export function quotaLimits(
  quotas: PlatformConfiguration['quotas'],
): ReadonlyMap<string, MinuteLimits> {
  return new Map(
    quotas.map((quota) => [
      targetName(quota),
      { requests: quota.requestsPerMinute, tokens: quota.tokensPerMinute },
    ]),
  );
}

/** What a provisioned throughput carries: it is bought by tokens, requests are not limited. */
export function throughputLimits(units: number, tokensPerSecondPerUnit: number): MinuteLimits {
  return { requests: UNLIMITED, tokens: Math.max(1, units * tokensPerSecondPerUnit * 60) };
}

/** Which limit a refused call most likely ran into: the one of which it takes the larger part. */
export function limitingDimension(
  limits: MinuteLimits,
  amounts: CallAmounts,
): 'requests' | 'tokens' {
  const partOfRequests = amounts.requests / limits.requests;
  return amounts.tokens / limits.tokens > partOfRequests ? 'tokens' : 'requests';
}
