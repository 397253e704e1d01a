import { createHash } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { apiTokens, tokenCreations } from '../schema';
import { VISIBLE_COLUMNS } from './api-token-record';
import type { ApiToken, IssuedToken, NewApiToken } from './api-token-record';

export type CreateOnceOutcome =
  | ({ readonly kind: 'created' } & IssuedToken)
  /** The same request came before. Its token's text was shown then, and is nowhere. */
  | { readonly kind: 'repeated'; readonly token: ApiToken }
  /** The key stands for a token that was asked for differently. */
  | { readonly kind: 'conflict'; readonly tokenId: string };

/**
 * Creates a token unless the key stands for one already. Of requests at the same time one creates it; the others wait for it
 * here, at the key's row.
 */
export async function createOnce(
  tx: NodePgDatabase,
  fields: NewApiToken,
  key: string,
  create: (tx: NodePgDatabase) => Promise<IssuedToken>,
  tokenId: string,
): Promise<CreateOnceOutcome> {
  const requestDigest = digestOf(fields);
  const { tenantId } = fields;
  const claimed = await tx
    .insert(tokenCreations)
    .values({ tenantId, idempotencyKey: key, requestDigest, tokenId })
    .onConflictDoNothing()
    .returning({ tokenId: tokenCreations.tokenId });
  if (claimed.length > 0) return { kind: 'created', ...(await create(tx)) };

  const [known] = await tx
    .select({ requestDigest: tokenCreations.requestDigest, token: VISIBLE_COLUMNS })
    .from(tokenCreations)
    .innerJoin(apiTokens, eq(apiTokens.id, tokenCreations.tokenId))
    .where(and(eq(tokenCreations.tenantId, tenantId), eq(tokenCreations.idempotencyKey, key)));
  if (known === undefined) throw new Error('An idempotency key stands for no token');
  const { token } = known;
  return known.requestDigest.equals(requestDigest)
    ? { kind: 'repeated', token }
    : { kind: 'conflict', tokenId: token.id };
}

/** Over every field, in one order: two requests that mean the same have the same digest. */
function digestOf(fields: NewApiToken): Buffer {
  const meant = [
    fields.userId,
    fields.name,
    fields.allowedModels,
    fields.rpm,
    fields.tpm,
    fields.dayCapMicroUsd,
    fields.monthCapMicroUsd,
    fields.expiresAt?.toISOString() ?? null,
  ];
  return createHash('sha256').update(JSON.stringify(meant)).digest();
}
