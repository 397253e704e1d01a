import { HEADERS } from '@matsuri/contract';
import type { MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import type { ApiEnv } from '../api';

const PREFLIGHT_CACHE_SECONDS = 600;

/**
 * Browsers of the listed origins may call, nobody else's. There are no cookies, so a page of another origin has
 * nothing to forge a request with and no CSRF token is needed.
 */
export function browserAccess(allowedOrigins: readonly string[]): MiddlewareHandler<ApiEnv> {
  return cors({
    origin: [...allowedOrigins],
    allowMethods: ['GET', 'POST'],
    allowHeaders: ['authorization', 'content-type', HEADERS.requestId],
    exposeHeaders: [HEADERS.requestId, HEADERS.retryAfter],
    maxAge: PREFLIGHT_CACHE_SECONDS,
  });
}
