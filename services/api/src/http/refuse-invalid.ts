import type { Hook } from '@hono/zod-openapi';
import type { ApiEnv } from '../api';
import { faultsOf } from '../core/problems';
import { ProblemError } from '../problem-error';

const PARTS: Readonly<Record<string, string>> = { json: 'body', param: 'path' };

/** Turns what a schema did not accept into the one shape of refusals. */
export const refuseInvalid: Hook<unknown, ApiEnv, string, undefined> = (result) => {
  if (result.success) return undefined;
  const part = PARTS[result.target] ?? result.target;
  throw new ProblemError('invalid-request', undefined, {
    faults: faultsOf(part, result.error.issues),
  });
};
