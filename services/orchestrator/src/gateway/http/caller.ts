import type { ApiToken } from '@matsuri/database';
import type { Caller } from '../gateway';
import type { HttpOptions } from './http-options';

/** A token's bearer as the gateway knows callers. */
export function callerOf(
  token: ApiToken,
  { residenciesOf }: Pick<HttpOptions, 'residenciesOf'>,
): Caller {
  return {
    tenantId: token.tenantId,
    userId: token.userId,
    tokenId: token.id,
    allowedModels: token.allowedModels,
    residencies: residenciesOf(token.tenantId),
    requestsPerMinute: token.rpm,
    tokensPerMinute: token.tpm,
  };
}
