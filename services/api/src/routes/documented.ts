import { PROBLEMS, type ProblemCode } from '../core/problems';
import { PROBLEM_MEDIA_TYPE } from '../http/error-response';
import { problemSchema } from '../wire/problem-schema';

const RETRY_AFTER = {
  'retry-after': { description: 'Seconds to wait.', schema: { type: 'integer' as const } },
};

/** A refusal in the API reference. */
export function problem(...codes: [ProblemCode, ...ProblemCode[]]) {
  const retryable = codes.some(
    (code) => PROBLEMS[code].status === 429 || PROBLEMS[code].status === 503,
  );
  return {
    description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join(' '),
    content: { [PROBLEM_MEDIA_TYPE]: { schema: problemSchema } },
    ...(retryable && { headers: RETRY_AFTER }),
  };
}

/** What any route may answer. */
export const ANY_ROUTE = {
  400: problem('invalid-request'),
  401: problem('unauthenticated'),
  429: problem('too-many-failures'),
  500: problem('internal'),
  503: problem('unavailable'),
};

/** What a route with a body may answer besides. */
export const WITH_BODY = {
  408: problem('too-slow'),
  413: problem('body-too-large'),
  415: problem('unsupported-media-type'),
};

/** The scheme every documented route asks for. */
export const ADMIN_SECURITY = [{ adminToken: [] }];
