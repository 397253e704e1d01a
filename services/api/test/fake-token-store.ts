import { randomBytes, randomUUID } from 'node:crypto';
import type { ApiToken, IssuedToken, NewApiToken, TokenSpend } from '@matsuri/database';
import { tokenStatus } from '../src/core/token-status';
import type { TokenStore } from '../src/ports';

/** Tokens in memory; passes the same suite as the real store. */
export interface FakeTokenStore extends TokenStore {
  setSpend(id: string, spend: TokenSpend): void;
}

const NOTHING_SPENT = {
  day: { spentMicroUsd: 0, reservedMicroUsd: 0 },
  month: { spentMicroUsd: 0, reservedMicroUsd: 0 },
};

export function fakeTokenStore(nowMs: () => number = Date.now): FakeTokenStore {
  const rows = new Map<string, ApiToken>();
  const creations = new Map<string, { readonly asked: string; readonly id: string }>();
  const spends = new Map<string, TokenSpend>();

  const find = (tenantId: string, id: string): ApiToken | undefined => {
    const token = rows.get(id);
    return token?.tenantId === tenantId ? token : undefined;
  };
  const put = (token: ApiToken): void => void rows.set(token.id, token);
  const issue = (fields: NewApiToken, predecessorId: string | null): IssuedToken => {
    const plaintext = `mts_${randomBytes(36).toString('base64url')}`;
    const token = newRow(fields, predecessorId, plaintext, nowMs());
    put(token);
    return { token, plaintext };
  };

  return {
    setSpend: (id, spend) => void spends.set(id, spend),
    create: (fields) => Promise.resolve(issue(fields, null)),
    createOnce: (fields, key) => {
      const place = JSON.stringify([fields.tenantId, key]);
      const known = creations.get(place);
      if (known === undefined) {
        const issued = issue(fields, null);
        creations.set(place, { asked: JSON.stringify(fields), id: issued.token.id });
        return Promise.resolve({ kind: 'created', ...issued });
      }
      const token = find(fields.tenantId, known.id);
      return Promise.resolve(
        token && known.asked === JSON.stringify(fields)
          ? { kind: 'repeated', token }
          : { kind: 'conflict', tokenId: known.id },
      );
    },
    get: (tenantId, id) => Promise.resolve(find(tenantId, id)),
    spend: (tenantId, id) =>
      Promise.resolve(find(tenantId, id) && (spends.get(id) ?? NOTHING_SPENT)),
    list: ({ tenantId, userId, limit = 100, after }) =>
      Promise.resolve(
        [...rows.values()]
          .filter((token) => token.tenantId === tenantId)
          .filter((token) => userId === undefined || token.userId === userId)
          .toSorted((a, b) => compare(a, b))
          .filter((token) => after === undefined || compare(token, after) > 0)
          .slice(0, limit),
      ),
    revoke: (tenantId, id) => {
      const token = find(tenantId, id);
      if (token === undefined) return Promise.resolve('not-found');
      if (token.revokedAt !== null) return Promise.resolve('already-revoked');
      put({ ...token, revokedAt: new Date(nowMs()) });
      return Promise.resolve('revoked');
    },
    rotate: (tenantId, id, overlapMs) => {
      const token = find(tenantId, id);
      if (token === undefined) return Promise.resolve({ kind: 'not-found' });
      const successor = [...rows.values()].find(({ predecessorId }) => predecessorId === id);
      if (successor) {
        return Promise.resolve({ kind: 'already-rotated', successorId: successor.id });
      }
      if (tokenStatus(token, nowMs()) !== 'active') return Promise.resolve({ kind: 'inactive' });
      put({ ...token, overlapUntil: new Date(nowMs() + overlapMs) });
      return Promise.resolve({ kind: 'rotated', ...issue(token, id) });
    },
  };
}

type Position = Pick<ApiToken, 'createdAt' | 'id'>;

function compare(a: Position, b: Position): number {
  return a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

function newRow(
  fields: NewApiToken,
  predecessorId: string | null,
  plaintext: string,
  nowMs: number,
): ApiToken {
  const id = randomUUID();
  return {
    id,
    tenantId: fields.tenantId,
    userId: fields.userId,
    name: fields.name,
    allowedModels: fields.allowedModels === null ? null : [...fields.allowedModels],
    rpm: fields.rpm,
    tpm: fields.tpm,
    dayCapMicroUsd: fields.dayCapMicroUsd,
    monthCapMicroUsd: fields.monthCapMicroUsd,
    expiresAt: fields.expiresAt,
    lastFour: plaintext.slice(-4),
    spendAccountId: id,
    createdAt: new Date(nowMs),
    revokedAt: null,
    overlapUntil: null,
    predecessorId,
  };
}
