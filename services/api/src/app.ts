import { OpenAPIHono } from '@hono/zod-openapi';
import { HEADERS, type PlatformConfiguration } from '@matsuri/contract';
import type { Clock } from '@matsuri/resilience';
import type { Logger, Metrics, Tracer } from '@matsuri/telemetry';
import { requestId } from 'hono/request-id';
import { secureHeaders } from 'hono/secure-headers';
import type { Api, ApiEnv } from './api';
import { FailureLimiter, type FailureLimits } from './core/failure-limiter';
import { adminCredential } from './http/admin-credential';
import { authenticate } from './http/authenticate';
import { browserAccess } from './http/browser-access';
import { errorResponse } from './http/error-response';
import { noStore } from './http/no-store';
import { receiveBody } from './http/receive-body';
import { refuseInvalid } from './http/refuse-invalid';
import { refuseOtherMethods } from './http/refuse-other-methods';
import { requestRecord } from './http/request-record';
import type { TokenStore, UsageSource } from './ports';
import { ProblemError } from './problem-error';
import { addApiReference } from './routes/api-reference';
import { addTokenRoutes } from './routes/token-routes';
import { addUsageRoutes } from './routes/usage-routes';

/** What the app needs from the world. */
export interface AppOptions {
  readonly tokens: TokenStore;
  readonly usage: UsageSource;
  readonly platform: PlatformConfiguration;
  readonly adminToken: string;
  readonly allowedOrigins: readonly string[];
  readonly log: Logger;
  readonly metrics: Pick<Metrics, 'record'>;
  readonly tracer: Tracer;
  readonly clock: Clock;
  /** Milliseconds since 1970. */
  readonly wallClockMs: () => number;
}

const FAILURE_LIMITS: FailureLimits = { burst: 10, forgiveMs: 6_000, maxAddresses: 10_000 };

/** A body here is a few fields; ten seconds are enough for any connection. */
const BODY_LIMITS = { maxBytes: 64 * 1_024, maxMs: 10_000 };

/** The management API: every answer, refusals included, comes from here. */
export function createApp(options: AppOptions): Api {
  const { log, clock, platform } = options;
  const nowMs = (): number => clock.nowMs();
  const api: Api = new OpenAPIHono<ApiEnv>({ defaultHook: refuseInvalid });
  api.onError(errorResponse(log));
  api.notFound(() => {
    throw new ProblemError('not-found');
  });

  api.use(requestId({ headerName: HEADERS.requestId, limitLength: 128 }));
  api.use(requestRecord({ ...options, nowMs }));
  api.use(secureHeaders());
  api.use(browserAccess(options.allowedOrigins));
  api.use('/v1/*', noStore);
  api.use(
    '/v1/*',
    authenticate({
      isAdmin: adminCredential(options.adminToken),
      failures: new FailureLimiter(FAILURE_LIMITS),
      nowMs,
      log,
    }),
    receiveBody({ ...BODY_LIMITS, clock }),
  );

  addTokenRoutes(api, options);
  addUsageRoutes(api, { ...options, maxDays: platform.ledger.maxQueryDays });
  addApiReference(api, platform);
  refuseOtherMethods(api);
  return api;
}
