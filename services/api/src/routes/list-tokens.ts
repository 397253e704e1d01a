import { createRoute } from '@hono/zod-openapi';
import { PATHS } from '@matsuri/contract';
import type { ApiToken, TokenListQuery } from '@matsuri/database';
import { z } from 'zod';
import type { Api } from '../api';
import { decodeCursor, encodeCursor } from '../core/page-cursor';
import { tokenListQuerySchema, tokenPageSchema } from '../wire/token-schemas';
import { ADMIN_SECURITY, ANY_ROUTE } from './documented';
import { unknownCursor } from './unknown-cursor';
import type { TokenRouteOptions } from './token-routes';
import { tokenView } from './token-view';

const route = createRoute({
  method: 'get',
  path: PATHS.tokens,
  operationId: 'listTokens',
  tags: ['Tokens'],
  summary: 'List the tokens of a tenant',
  description: 'Oldest first, whatever their status.',
  security: ADMIN_SECURITY,
  request: { query: tokenListQuerySchema },
  responses: {
    200: {
      description: 'A page of tokens.',
      content: { 'application/json': { schema: tokenPageSchema } },
    },
    ...ANY_ROUTE,
  },
});

export function addListTokens(api: Api, { tokens, wallClockMs }: TokenRouteOptions): void {
  api.openapi(route, async (c) => {
    const { tenant, user, limit, cursor } = c.req.valid('query');
    const found = await tokens.list({
      tenantId: tenant,
      ...(user !== undefined && { userId: user }),
      ...(cursor !== undefined && { after: positionOf(cursor) }),
      // One more than asked for tells whether there is a next page.
      limit: limit + 1,
    });
    const shown = found.slice(0, limit);
    const last = found.length > limit ? shown.at(-1) : undefined;
    const nowMs = wallClockMs();
    return c.json(
      {
        data: shown.map((token) => tokenView(token, nowMs)),
        next_cursor: last ? cursorOf(last) : null,
      },
      200,
    );
  });
}

const positionSchema = z.tuple([z.iso.datetime().transform((text) => new Date(text)), z.uuid()]);

function cursorOf({ createdAt, id }: ApiToken): string {
  return encodeCursor([createdAt.toISOString(), id]);
}

function positionOf(cursor: string): NonNullable<TokenListQuery['after']> {
  const position = positionSchema.safeParse(decodeCursor(cursor));
  if (!position.success) throw unknownCursor();
  const [createdAt, id] = position.data;
  return { createdAt, id };
}
