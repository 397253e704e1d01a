import { defaultConfiguration } from '@matsuri/contract';

/** Quotas that nothing here reaches. */
export const WIDE_QUOTAS = defaultConfiguration.quotas.map((quota) => ({
  ...quota,
  requestsPerMinute: 10_000_000,
  tokensPerMinute: 10_000_000_000,
}));
