import type { MiddlewareHandler } from 'hono';
import type { ApiEnv } from '../api';

/** Answers carry tokens and what they cost: no cache on the way keeps one. */
export const noStore: MiddlewareHandler<ApiEnv> = async function noStore(c, next) {
  c.header('cache-control', 'no-store');
  await next();
};
