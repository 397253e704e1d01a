import { HEADERS } from '@matsuri/contract';

import { formatDuration } from './format-duration';

/** One limit as a caller sees it. */
interface LimitReading {
  readonly limit: number;
  readonly remaining: number;
  /** Until the limit is whole again. */
  readonly resetMs: number;
}

export interface RateLimits {
  readonly requests?: LimitReading;
  readonly tokens?: LimitReading;
}

/** The `x-ratelimit-*` headers; a limit nobody set has none. */
export function rateLimitHeaders({ requests, tokens }: RateLimits): Record<string, string> {
  const headers: Record<string, string> = {};
  if (requests) {
    headers[HEADERS.rateLimitLimitRequests] = whole(requests.limit);
    headers[HEADERS.rateLimitRemainingRequests] = whole(requests.remaining);
    headers[HEADERS.rateLimitResetRequests] = formatDuration(requests.resetMs);
  }
  if (tokens) {
    headers[HEADERS.rateLimitLimitTokens] = whole(tokens.limit);
    headers[HEADERS.rateLimitRemainingTokens] = whole(tokens.remaining);
    headers[HEADERS.rateLimitResetTokens] = formatDuration(tokens.resetMs);
  }
  return headers;
}

// A bucket in debt has nothing left; clients do not expect a negative figure.
function whole(amount: number): string {
  return String(Math.max(0, Math.floor(amount)));
}
