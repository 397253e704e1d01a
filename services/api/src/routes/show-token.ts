import { createRoute } from '@hono/zod-openapi';
import { PATHS } from '@matsuri/contract';
import type { ApiToken } from '@matsuri/database';
import type { Api } from '../api';
import type { TokenStore } from '../ports';
import { ProblemError } from '../problem-error';
import { tokenParamsSchema, tokenQuerySchema, tokenSchema } from '../wire/token-schemas';
import { ADMIN_SECURITY, ANY_ROUTE, problem } from './documented';
import type { TokenRouteOptions } from './token-routes';
import { tokenView } from './token-view';

const route = createRoute({
  method: 'get',
  path: `${PATHS.tokens}/{id}`,
  operationId: 'showToken',
  tags: ['Tokens'],
  summary: 'Show a token',
  description: 'What it may do and how long. Its text cannot be shown again.',
  security: ADMIN_SECURITY,
  request: { params: tokenParamsSchema, query: tokenQuerySchema },
  responses: {
    200: { description: 'The token.', content: { 'application/json': { schema: tokenSchema } } },
    ...ANY_ROUTE,
    404: problem('not-found'),
  },
});

export function addShowToken(api: Api, { tokens, wallClockMs }: TokenRouteOptions): void {
  api.openapi(route, async (c) => {
    const token = await existing(tokens, c.req.valid('query').tenant, c.req.valid('param').id);
    return c.json(tokenView(token, wallClockMs()), 200);
  });
}

/** The tenant's token of that id; anything else, of whoever it is, is not there. */
export async function existing(tokens: TokenStore, tenant: string, id: string): Promise<ApiToken> {
  const token = await tokens.get(tenant, id);
  if (token === undefined) throw noSuchToken();
  return token;
}

export function noSuchToken(): ProblemError {
  return new ProblemError('not-found', 'The tenant has no token with this id.');
}
