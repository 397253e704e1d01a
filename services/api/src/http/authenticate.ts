import type { Logger } from '@matsuri/telemetry';
import type { Context, MiddlewareHandler } from 'hono';
import type { ApiEnv } from '../api';
import { clientAddress } from '../core/client-address';
import type { FailureLimiter } from '../core/failure-limiter';
import { ProblemError } from '../problem-error';

export interface AuthenticationOptions {
  readonly isAdmin: (presented: string) => boolean;
  readonly failures: FailureLimiter;
  /** Monotonic. */
  readonly nowMs: () => number;
  readonly log: Logger;
}

const BEARER = /^Bearer +([\x21-\x7e]{1,512})$/i;

/** Lets the administrator in. An address that was wrong too often has to wait, whatever it shows. */
export function authenticate(options: AuthenticationOptions): MiddlewareHandler<ApiEnv> {
  const { isAdmin, failures, nowMs, log } = options;
  return async function authentication(c, next) {
    const address = addressOf(c);
    const waitMs = failures.waitMs(address, nowMs());
    if (waitMs > 0) {
      throw new ProblemError('too-many-failures', undefined, { retryAfterMs: waitMs });
    }
    const presented = BEARER.exec(c.req.header('authorization') ?? '')?.[1];
    if (presented === undefined) {
      throw new ProblemError('unauthenticated', 'Send `Authorization: Bearer <credential>`.');
    }
    if (!isAdmin(presented)) {
      failures.failed(address, nowMs());
      log.warn('credential refused', { request_id: c.get('requestId'), address });
      throw new ProblemError('unauthenticated');
    }
    await next();
  };
}

function addressOf(c: Context<ApiEnv>): string {
  const peer = c.env.incoming?.socket.remoteAddress;
  return clientAddress(peer, c.req.header('x-forwarded-for'));
}
