import { createRoute } from '@hono/zod-openapi';
import { PATHS } from '@matsuri/contract';
import type { Api } from '../api';
import { spendSchema, tokenParamsSchema, tokenQuerySchema } from '../wire/token-schemas';
import { ADMIN_SECURITY, ANY_ROUTE, problem } from './documented';
import { existing, noSuchToken } from './show-token';
import type { TokenRouteOptions } from './token-routes';
import { spendView } from './token-view';

const route = createRoute({
  method: 'get',
  path: `${PATHS.tokens}/{id}/spend`,
  operationId: 'showSpend',
  tags: ['Tokens'],
  summary: "Show a token's spending",
  description:
    'Of the current UTC day and month, against its caps. A rotated token and its successor share these counters.',
  security: ADMIN_SECURITY,
  request: { params: tokenParamsSchema, query: tokenQuerySchema },
  responses: {
    200: {
      description: 'Money spent and reserved.',
      content: { 'application/json': { schema: spendSchema } },
    },
    ...ANY_ROUTE,
    404: problem('not-found'),
  },
});

export function addShowSpend(api: Api, { tokens, wallClockMs }: TokenRouteOptions): void {
  api.openapi(route, async (c) => {
    const { tenant } = c.req.valid('query');
    const { id } = c.req.valid('param');
    const [token, spend] = await Promise.all([
      existing(tokens, tenant, id),
      tokens.spend(tenant, id),
    ]);
    if (spend === undefined) throw noSuchToken();
    return c.json(spendView(token, spend, wallClockMs()), 200);
  });
}
