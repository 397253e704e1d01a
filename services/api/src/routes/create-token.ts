import { createRoute } from '@hono/zod-openapi';
import { HEADERS, PATHS, type ModelCatalogue } from '@matsuri/contract';
import type { NewApiToken } from '@matsuri/database';
import type { Api } from '../api';
import { microUsdOf } from '../core/dollars';
import { unknownModels } from '../core/model-names';
import { ProblemError } from '../problem-error';
import {
  creationHeadersSchema,
  issuedTokenSchema,
  newTokenSchema,
  tokenQuerySchema,
  tokenSchema,
  type NewTokenBody,
} from '../wire/token-schemas';
import { ADMIN_SECURITY, ANY_ROUTE, problem, WITH_BODY } from './documented';
import type { TokenRouteOptions } from './token-routes';
import { tokenView } from './token-view';

const REPLAYED = 'idempotent-replayed';

const route = createRoute({
  method: 'post',
  path: PATHS.tokens,
  operationId: 'createToken',
  tags: ['Tokens'],
  summary: 'Create a token',
  description:
    'The answer carries the token, this once: it is stored nowhere. With an `Idempotency-Key` the request may be sent again: one token is made, and the ' +
    'repetition is answered with it, but without its text. If the first answer was lost, rotate that token (`overlap_seconds: 0`) for a successor you can see.',
  security: ADMIN_SECURITY,
  request: {
    headers: creationHeadersSchema,
    query: tokenQuerySchema,
    body: { required: true, content: { 'application/json': { schema: newTokenSchema } } },
  },
  responses: {
    200: {
      description:
        'The token that an earlier request with this key made; its text is not shown again.',
      headers: {
        [REPLAYED]: { description: 'Always `true`.', schema: { type: 'string' as const } },
      },
      content: { 'application/json': { schema: tokenSchema } },
    },
    201: {
      description: 'The new token.',
      content: { 'application/json': { schema: issuedTokenSchema } },
    },
    ...ANY_ROUTE,
    ...WITH_BODY,
    409: problem('idempotency-conflict'),
  },
});

export function addCreateToken(api: Api, options: TokenRouteOptions): void {
  const { tokens, platform, wallClockMs } = options;
  api.openapi(route, async (c) => {
    const body = c.req.valid('json');
    refuseImpossible(body, platform.models, wallClockMs());
    const wanted = newToken(c.req.valid('query').tenant, body);
    const key = c.req.valid('header')[HEADERS.idempotencyKey];
    const outcome =
      key === undefined
        ? ({ kind: 'created', ...(await tokens.create(wanted)) } as const)
        : await tokens.createOnce(wanted, key);
    switch (outcome.kind) {
      case 'created': {
        const { token, plaintext } = outcome;
        return c.json({ ...tokenView(token, wallClockMs()), token: plaintext }, 201);
      }
      case 'repeated':
        return c.json(tokenView(outcome.token, wallClockMs()), 200, { [REPLAYED]: 'true' });
      case 'conflict':
        throw new ProblemError(
          'idempotency-conflict',
          `It stands for token ${outcome.tokenId}, which was asked for with another body. Use a new key.`,
          { tokenId: outcome.tokenId },
        );
    }
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
