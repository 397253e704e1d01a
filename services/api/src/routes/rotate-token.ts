import { createRoute } from '@hono/zod-openapi';
import { PATHS } from '@matsuri/contract';
import type { IssuedToken, RotateOutcome } from '@matsuri/database';
import type { Api } from '../api';
import { ProblemError } from '../problem-error';
import {
  issuedTokenSchema,
  rotationSchema,
  tokenParamsSchema,
  tokenQuerySchema,
} from '../wire/token-schemas';
import { ADMIN_SECURITY, ANY_ROUTE, problem, WITH_BODY } from './documented';
import { noSuchToken } from './show-token';
import type { TokenRouteOptions } from './token-routes';
import { tokenView } from './token-view';

const route = createRoute({
  method: 'post',
  path: `${PATHS.tokens}/{id}/rotate`,
  operationId: 'rotateToken',
  tags: ['Tokens'],
  summary: 'Replace a token by a successor',
  description:
    'The successor has the same rights and goes on spending from the same counters. Both work until the overlap ends. ' +
    'A token is rotated once: of two requests one gets the successor, the other learns its id.',
  security: ADMIN_SECURITY,
  request: {
    params: tokenParamsSchema,
    query: tokenQuerySchema,
    body: { content: { 'application/json': { schema: rotationSchema } } },
  },
  responses: {
    201: {
      description: 'The successor.',
      content: { 'application/json': { schema: issuedTokenSchema } },
    },
    ...ANY_ROUTE,
    ...WITH_BODY,
    404: problem('not-found'),
    409: problem('already-rotated', 'token-inactive'),
  },
});

export function addRotateToken(api: Api, options: TokenRouteOptions): void {
  const { tokens, platform, wallClockMs } = options;
  api.openapi(route, async (c) => {
    const { overlap_seconds } = c.req.valid('json');
    const overlapSeconds = overlap_seconds ?? platform.apiTokens.rotationOverlapSeconds;
    const { tenant } = c.req.valid('query');
    const outcome = await tokens.rotate(tenant, c.req.valid('param').id, overlapSeconds * 1_000);
    const { token, plaintext } = successorOf(outcome);
    return c.json({ ...tokenView(token, wallClockMs()), token: plaintext }, 201);
  });
}

function successorOf(outcome: RotateOutcome): IssuedToken {
  switch (outcome.kind) {
    case 'rotated':
      return outcome;
    case 'already-rotated': {
      const { successorId } = outcome;
      throw new ProblemError('already-rotated', `Its successor is ${successorId}.`, {
        successorId,
      });
    }
    case 'inactive':
      throw new ProblemError('token-inactive', 'It was revoked or has expired.');
    case 'not-found':
      throw noSuchToken();
  }
}
