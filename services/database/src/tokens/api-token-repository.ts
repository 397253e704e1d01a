import { randomUUID } from 'node:crypto';
import { and, asc, eq, gt, inArray, isNull, or, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { lastFour } from '../core/api-token';
import type { PepperRing } from '../core/pepper-ring';
import { tokenState } from '../core/token-state';
import type { DatabasePool } from '../pool/database-pool';
import { apiTokens, spendCounters } from '../schema';
import { STORED_COLUMNS, VISIBLE_COLUMNS } from './api-token-record';
import type { ApiToken, IssuedToken, NewApiToken, StoredToken } from './api-token-record';
import { createOnce, type CreateOnceOutcome } from './create-once';
import { readSpend } from './token-spend';
import type { TokenSpend } from './token-spend';
import { TOKEN_CHANGES_CHANNEL } from './token-changes';
import { newestDigest, newToken } from './token-digest';

export interface TokenListQuery {
  readonly tenantId: string;
  readonly userId?: string;
  /** @default 100, at most 500 */
  readonly limit?: number;
  /** The last token of the page before. */
  readonly after?: Pick<ApiToken, 'createdAt' | 'id'>;
}

export type RotateOutcome =
  | ({ readonly kind: 'rotated' } & IssuedToken)
  | { readonly kind: 'already-rotated'; readonly successorId: string }
  | { readonly kind: 'inactive' }
  | { readonly kind: 'not-found' };

/** API tokens in the database. Every id is looked up within its tenant. */
export interface ApiTokenRepository {
  create(token: NewApiToken): Promise<IssuedToken>;
  /** Creates at most one token per key and tenant, however often and by however many it is asked. */
  createOnce(token: NewApiToken, idempotencyKey: string): Promise<CreateOnceOutcome>;
  /** Oldest first, a page at a time. */
  list(query: TokenListQuery): Promise<ApiToken[]>;
  get(tenantId: string, id: string): Promise<ApiToken | undefined>;
  /** What its line has spent and holds reserved in the current UTC day and month. */
  spend(tenantId: string, id: string): Promise<TokenSpend | undefined>;
  /** Ends a token now, in every process. */
  revoke(tenantId: string, id: string): Promise<'revoked' | 'already-revoked' | 'not-found'>;
  /** Issues a successor with the same rights and counters; the old one works for `overlapMs` more. Once per token. */
  rotate(tenantId: string, id: string, overlapMs: number): Promise<RotateOutcome>;
  /** The tokens stored under any of these digests, in any state. */
  findByDigests(digests: readonly Buffer[]): Promise<StoredToken[]>;
}

const MAX_PAGE = 500;

/** The repository over a pool. */
export function createApiTokenRepository(pool: DatabasePool, ring: PepperRing): ApiTokenRepository {
  const inTenant = (tenantId: string, id: string) =>
    and(eq(apiTokens.tenantId, tenantId), eq(apiTokens.id, id));

  return {
    create: (fields) =>
      pool.run((db) => db.transaction((tx) => createToken(tx, ring, fields, randomUUID()))),

    createOnce: (fields, key) => {
      const id = randomUUID();
      return pool.run((db) =>
        db.transaction((tx) =>
          createOnce(tx, fields, key, (within) => createToken(within, ring, fields, id), id),
        ),
      );
    },

    list: ({ tenantId, userId, limit = 100, after }) =>
      pool.run((db) =>
        db
          .select(VISIBLE_COLUMNS)
          .from(apiTokens)
          .where(
            and(
              eq(apiTokens.tenantId, tenantId),
              userId === undefined ? undefined : eq(apiTokens.userId, userId),
              after && afterToken(after),
            ),
          )
          .orderBy(asc(apiTokens.createdAt), asc(apiTokens.id))
          .limit(Math.min(limit, MAX_PAGE)),
      ),

    get: (tenantId, id) =>
      pool.run(async (db) => {
        const [token] = await db
          .select(VISIBLE_COLUMNS)
          .from(apiTokens)
          .where(inTenant(tenantId, id));
        return token;
      }),

    spend: (tenantId, id) => pool.run((db) => readSpend(db, tenantId, id)),

    revoke: (tenantId, id) =>
      pool.run((db) =>
        db.transaction(async (tx) => {
          const revoked = await tx
            .update(apiTokens)
            .set({ revokedAt: sql`now()` })
            .where(and(inTenant(tenantId, id), isNull(apiTokens.revokedAt)))
            .returning({ id: apiTokens.id });
          if (revoked.length > 0) {
            await announceChange(tx, id);
            return 'revoked';
          }
          const known = await tx.$count(apiTokens, inTenant(tenantId, id));
          return known > 0 ? 'already-revoked' : 'not-found';
        }),
      ),

    rotate: (tenantId, id, overlapMs) => {
      if (!Number.isSafeInteger(overlapMs) || overlapMs < 0) {
        throw new RangeError('An overlap is a whole number of milliseconds, not negative');
      }
      return pool.run((db) =>
        db.transaction(async (tx): Promise<RotateOutcome> => {
          // The second of two rotations waits here, and then finds the first one's successor.
          const [old] = await tx
            .select(VISIBLE_COLUMNS)
            .from(apiTokens)
            .where(inTenant(tenantId, id))
            .for('update');
          if (old === undefined) return { kind: 'not-found' };
          const [successor] = await tx
            .select({ id: apiTokens.id })
            .from(apiTokens)
            .where(eq(apiTokens.predecessorId, id));
          if (successor) return { kind: 'already-rotated', successorId: successor.id };
          if (tokenState(old, Date.now()) !== 'active') return { kind: 'inactive' };

          await tx
            .update(apiTokens)
            .set({ overlapUntil: sql`now() + ${overlapMs} * interval '1 millisecond'` })
            .where(eq(apiTokens.id, id));
          await announceChange(tx, id);
          const issued = await issue(tx, ring, { ...old, id: randomUUID(), predecessorId: id });
          return { kind: 'rotated', ...issued };
        }),
      );
    },

    findByDigests: (digests) =>
      pool.run((db) =>
        db
          .select(STORED_COLUMNS)
          .from(apiTokens)
          .where(inArray(apiTokens.digest, [...digests])),
      ),
  };
}

/** A token and the counters of its line. */
async function createToken(
  db: Pick<NodePgDatabase, 'insert'>,
  ring: PepperRing,
  fields: NewApiToken,
  id: string,
): Promise<IssuedToken> {
  const issued = await issue(db, ring, { ...fields, id, spendAccountId: id });
  await db.insert(spendCounters).values({
    accountId: id,
    day: sql`(now() AT TIME ZONE 'UTC')::date`,
    month: sql`date_trunc('month', now() AT TIME ZONE 'UTC')::date`,
  });
  return issued;
}

type IssueFields = NewApiToken &
  Pick<ApiToken, 'id' | 'spendAccountId'> & { readonly predecessorId?: string };

async function issue(
  db: Pick<NodePgDatabase, 'insert'>,
  ring: PepperRing,
  fields: IssueFields,
): Promise<IssuedToken> {
  const plaintext = newToken();
  const [token] = await db
    .insert(apiTokens)
    .values({
      id: fields.id,
      tenantId: fields.tenantId,
      userId: fields.userId,
      name: fields.name,
      allowedModels: fields.allowedModels === null ? null : [...fields.allowedModels],
      rpm: fields.rpm,
      tpm: fields.tpm,
      dayCapMicroUsd: fields.dayCapMicroUsd,
      monthCapMicroUsd: fields.monthCapMicroUsd,
      expiresAt: fields.expiresAt,
      spendAccountId: fields.spendAccountId,
      predecessorId: fields.predecessorId ?? null,
      lastFour: lastFour(plaintext),
      ...newestDigest(plaintext, ring),
    })
    .returning(VISIBLE_COLUMNS);
  if (token === undefined) throw new Error('The insert returned no row');
  return { token, plaintext };
}

async function announceChange(db: Pick<NodePgDatabase, 'execute'>, id: string): Promise<void> {
  // Told to listeners when, and only when, the transaction commits.
  await db.execute(sql`SELECT pg_notify(${TOKEN_CHANGES_CHANNEL}, ${id})`);
}

function afterToken({ createdAt, id }: Pick<ApiToken, 'createdAt' | 'id'>) {
  return or(
    gt(apiTokens.createdAt, createdAt),
    and(eq(apiTokens.createdAt, createdAt), gt(apiTokens.id, id)),
  );
}
