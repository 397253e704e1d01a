import { HEADERS } from '@matsuri/contract';

/** Which pages of other sites may call, and what they may see. */
export interface Cors {
  /** Headers of an answer to a request with this origin; none for an origin that is not on the list. */
  answerHeaders(origin: string): Readonly<Record<string, string>>;
  /** Headers of the answer to a browser's question in advance; `undefined`: not allowed. */
  preflightHeaders(
    origin: string | undefined,
    wantedHeaders: string | undefined,
  ): Readonly<Record<string, string>> | undefined;
}

const EXPOSED = [
  HEADERS.requestId,
  HEADERS.servedBy,
  HEADERS.retryAfter,
  HEADERS.location,
  HEADERS.rateLimitLimitRequests,
  HEADERS.rateLimitLimitTokens,
  HEADERS.rateLimitRemainingRequests,
  HEADERS.rateLimitRemainingTokens,
  HEADERS.rateLimitResetRequests,
  HEADERS.rateLimitResetTokens,
].join(', ');

// Bearer tokens travel in a header: no cookie is ever read, so credentials need not be allowed.
const ALLOWED_METHODS = 'GET, POST, OPTIONS';
const MAX_AGE_SECONDS = '7200';
const HEADER_NAMES = /^[a-z0-9, _-]{1,2000}$/i;
const USUAL_HEADERS = `authorization, content-type, ${HEADERS.requestId}`;

export function createCors(allowedOrigins: readonly string[]): Cors {
  const allowed = new Set(allowedOrigins);
  return {
    answerHeaders: (origin) =>
      allowed.has(origin)
        ? {
            'access-control-allow-origin': origin,
            'access-control-expose-headers': EXPOSED,
            vary: 'origin',
          }
        : { vary: 'origin' },
    // Clients send headers of their own making; a page that may call at all may send any.
    preflightHeaders: (origin, wanted) =>
      origin !== undefined && allowed.has(origin)
        ? {
            'access-control-allow-origin': origin,
            'access-control-allow-methods': ALLOWED_METHODS,
            'access-control-allow-headers':
              wanted !== undefined && HEADER_NAMES.test(wanted) ? wanted : USUAL_HEADERS,
            'access-control-max-age': MAX_AGE_SECONDS,
            vary: 'origin',
          }
        : undefined,
  };
}
