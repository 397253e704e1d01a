import { DatabaseUnavailableError, ReportRangeError } from '@matsuri/database';
import type { Logger } from '@matsuri/telemetry';
import type { Context, ErrorHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { HEADERS } from '@matsuri/contract';
import type { ApiEnv } from '../api';
import { PROBLEMS, PROBLEM_TYPE } from '../core/problems';
import { ProblemError } from '../problem-error';
import type { ProblemBody } from '../wire/problem-schema';

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

const DATABASE_RETRY_MS = 2_000;

/** The one place where errors become answers. What we did not foresee is logged and told to nobody. */
export function errorResponse(log: Logger): ErrorHandler<ApiEnv> {
  return function onError(error, c) {
    const problem = problemOf(error);
    if (problem.code === 'internal') {
      log.error('request failed', { request_id: c.get('requestId'), err: error });
    }
    if (problem.code === 'unavailable') {
      log.warn('database unavailable', { request_id: c.get('requestId'), err: error });
    }
    return respond(c, problem);
  };
}

function problemOf(error: Error): ProblemError {
  if (error instanceof ProblemError) return error;
  if (error instanceof DatabaseUnavailableError) {
    return new ProblemError('unavailable', undefined, { retryAfterMs: DATABASE_RETRY_MS });
  }
  if (error instanceof ReportRangeError) return new ProblemError('period-refused', error.message);
  if (error instanceof HTTPException) return ofFramework(error);
  return new ProblemError('internal');
}

/** What the framework refuses by itself: bodies that are no JSON, or do not say that they are. */
function ofFramework({ status }: HTTPException): ProblemError {
  if (status === PROBLEMS['unsupported-media-type'].status) {
    return new ProblemError('unsupported-media-type');
  }
  return status < 500
    ? new ProblemError('invalid-request', 'The body is not JSON.')
    : new ProblemError('internal');
}

function respond(c: Context<ApiEnv>, { code, detail, options }: ProblemError): Response {
  const { status, title } = PROBLEMS[code];
  const body: ProblemBody = {
    type: PROBLEM_TYPE + code,
    title,
    status,
    ...(detail !== undefined && { detail }),
    request_id: c.get('requestId'),
    ...(options.faults && { errors: [...options.faults] }),
    ...(options.tokenId !== undefined && { token_id: options.tokenId }),
    ...(options.successorId !== undefined && { successor_id: options.successorId }),
  };
  if (options.retryAfterMs !== undefined) {
    c.header(HEADERS.retryAfter, String(Math.max(1, Math.ceil(options.retryAfterMs / 1_000))));
  }
  if (options.allow) c.header('allow', options.allow.join(', '));
  if (code === 'unauthenticated') c.header('www-authenticate', 'Bearer realm="matsuri"');
  return c.json(body, status, { 'content-type': PROBLEM_MEDIA_TYPE });
}
