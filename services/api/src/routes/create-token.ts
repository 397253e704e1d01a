import { createRoute } from '@hono/zod-openapi';
import { PATHS, type ModelCatalogue } from '@matsuri/contract';
import type { NewApiToken } from '@matsuri/database';
import type { Api } from '../api';
import { microUsdOf } from '../core/dollars';
import { unknownModels } from '../core/model-names';
import { ProblemError } from '../problem-error';
import {
  issuedTokenSchema,
  newTokenSchema,
  tokenQuerySchema,
  type NewTokenBody,
} from '../wire/token-schemas';
import { ADMIN_SECURITY, ANY_ROUTE, WITH_BODY } from './documented';
import type { TokenRouteOptions } from './token-routes';
import { tokenView } from './token-view';

const route = createRoute({
  method: 'post',
  path: PATHS.tokens,
  operationId: 'createToken',
  tags: ['Tokens'],
  summary: 'Create a token',
  description:
    'The answer carries the token, this once. If it is lost, create another and revoke this one.',
  security: ADMIN_SECURITY,
  request: {
    query: tokenQuerySchema,
    body: { required: true, content: { 'application/json': { schema: newTokenSchema } } },
  },
  responses: {
    201: {
      description: 'The new token.',
      content: { 'application/json': { schema: issuedTokenSchema } },
    },
    ...ANY_ROUTE,
    ...WITH_BODY,
  },
});

export function addCreateToken(api: Api, options: TokenRouteOptions): void {
  const { tokens, platform, wallClockMs } = options;
  api.openapi(route, async (c) => {
    const body = c.req.valid('json');
    refuseImpossible(body, platform.models, wallClockMs());
    const issued = await tokens.create(newToken(c.req.valid('query').tenant, body));
    return c.json({ ...tokenView(issued.token, wallClockMs()), token: issued.plaintext }, 201);
  });
}

/** What only the catalogue and the clock can tell. */
function refuseImpossible(body: NewTokenBody, catalogue: ModelCatalogue, nowMs: number): void {
  const faults = unknownModels(catalogue, body.allowed_models ?? []).map((name) => ({
    at: 'body.allowed_models',
    detail: `"${name}" is no alias, model or profile of the catalogue`,
  }));
  if (body.expires_at !== null && Date.parse(body.expires_at) <= nowMs) {
    faults.push({ at: 'body.expires_at', detail: 'must be in the future' });
  }
  if (faults.length > 0) throw new ProblemError('invalid-request', undefined, { faults });
}

function newToken(tenantId: string, body: NewTokenBody): NewApiToken {
  const cap = (dollars: string | null): number | null =>
    dollars === null ? null : microUsdOf(dollars);
  return {
    tenantId,
    userId: body.user_id,
    name: body.name,
    allowedModels: body.allowed_models,
    rpm: body.requests_per_minute,
    tpm: body.tokens_per_minute,
    dayCapMicroUsd: cap(body.day_cap_usd),
    monthCapMicroUsd: cap(body.month_cap_usd),
    expiresAt: body.expires_at === null ? null : new Date(body.expires_at),
  };
}
