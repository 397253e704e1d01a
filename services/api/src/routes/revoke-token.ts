import { createRoute } from '@hono/zod-openapi';
import { PATHS } from '@matsuri/contract';
import type { Api } from '../api';
import { tokenParamsSchema, tokenQuerySchema, tokenSchema } from '../wire/token-schemas';
import { ADMIN_SECURITY, ANY_ROUTE, problem } from './documented';
import { existing, noSuchToken } from './show-token';
import type { TokenRouteOptions } from './token-routes';
import { tokenView } from './token-view';

const route = createRoute({
  method: 'post',
  path: `${PATHS.tokens}/{id}/revoke`,
  operationId: 'revokeToken',
  tags: ['Tokens'],
  summary: 'Revoke a token',
  description:
    'It stops working everywhere within a second. May be repeated. A successor, if it was rotated, goes on working.',
  security: ADMIN_SECURITY,
  request: { params: tokenParamsSchema, query: tokenQuerySchema },
  responses: {
    200: {
      description: 'The revoked token.',
      content: { 'application/json': { schema: tokenSchema } },
    },
    ...ANY_ROUTE,
    404: problem('not-found'),
  },
});

export function addRevokeToken(api: Api, { tokens, wallClockMs }: TokenRouteOptions): void {
  api.openapi(route, async (c) => {
    const { tenant } = c.req.valid('query');
    const { id } = c.req.valid('param');
    const outcome = await tokens.revoke(tenant, id);
    if (outcome === 'not-found') throw noSuchToken();
    const token = await existing(tokens, tenant, id);
    return c.json(tokenView(token, wallClockMs()), 200);
  });
}
