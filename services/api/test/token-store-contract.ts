import { randomUUID } from 'node:crypto';
import type { ApiToken, NewApiToken } from '@matsuri/database';
import type { TokenStore } from '../src/ports';

export function aToken(overrides: Partial<NewApiToken> = {}): NewApiToken {
  return {
    tenantId: `tenant-${randomUUID()}`,
    userId: 'user-1',
    name: 'a token',
    allowedModels: null,
    rpm: null,
    tpm: null,
    dayCapMicroUsd: null,
    monthCapMicroUsd: null,
    expiresAt: null,
    ...overrides,
  };
}

/** What the routes rely on, of the fake and of the real store. */
export function describeTokenStore(name: string, store: () => TokenStore): void {
  describe(`${name} keeps the token port's promises`, () => {
    test('a token is found within its tenant only', async () => {
      const { token } = await store().create(aToken());
      expect(await store().get(token.tenantId, token.id)).toEqual(token);
      expect(await store().get('another', token.id)).toBeUndefined();
      expect(await store().spend('another', token.id)).toBeUndefined();
      expect(await store().revoke('another', token.id)).toBe('not-found');
      expect(await store().rotate('another', token.id, 0)).toEqual({ kind: 'not-found' });
    });

    test('a key stands for one token, within its tenant', async () => {
      const wanted = aToken({ allowedModels: ['simple'], expiresAt: new Date('2030-01-01') });
      const first = await store().createOnce(wanted, 'key-1');
      const id = first.kind === 'created' ? first.token.id : '';
      expect(first).toMatchObject({ kind: 'created', token: { name: 'a token' } });
      expect(await store().createOnce(wanted, 'key-1')).toEqual({
        kind: 'repeated',
        token: await store().get(wanted.tenantId, id),
      });
      expect(await store().createOnce({ ...wanted, rpm: 1 }, 'key-1')).toEqual({
        kind: 'conflict',
        tokenId: id,
      });
      expect(await store().createOnce(wanted, 'key-2')).toMatchObject({ kind: 'created' });
      expect(await store().createOnce(aToken(), 'key-1')).toMatchObject({ kind: 'created' });
      expect(await store().list({ tenantId: wanted.tenantId })).toHaveLength(2);
    });

    test('of many requests with one key at once, one makes the token and all learn of it', async () => {
      const wanted = aToken();
      const outcomes = await Promise.all(
        Array.from({ length: 12 }, () => store().createOnce(wanted, 'key')),
      );
      expect(outcomes.filter(({ kind }) => kind === 'created')).toHaveLength(1);
      const ids = outcomes.map((it) => (it.kind === 'conflict' ? it.tokenId : it.token.id));
      expect(new Set(ids).size).toBe(1);
    });

    test('a list goes on after the last token of the page before', async () => {
      const { tenantId } = aToken();
      for (let i = 0; i < 5; i++) await store().create(aToken({ tenantId }));
      const first = await store().list({ tenantId, limit: 3 });
      const rest = await store().list({ tenantId, limit: 3, ...afterLast(first) });
      const ids = [...first, ...rest].map(({ id }) => id);
      expect(new Set(ids).size).toBe(5);
    });

    test('revoking is final, and says when it was done before', async () => {
      const { token } = await store().create(aToken());
      expect(await store().revoke(token.tenantId, token.id)).toBe('revoked');
      expect(await store().revoke(token.tenantId, token.id)).toBe('already-revoked');
      expect(await store().rotate(token.tenantId, token.id, 0)).toEqual({ kind: 'inactive' });
    });

    test('a token has one successor', async () => {
      const { token } = await store().create(aToken({ rpm: 7 }));
      const rotated = await store().rotate(token.tenantId, token.id, 60_000);
      expect(rotated).toMatchObject({
        kind: 'rotated',
        token: { rpm: 7, predecessorId: token.id },
      });
      const again = await store().rotate(token.tenantId, token.id, 60_000);
      const successorId = rotated.kind === 'rotated' ? rotated.token.id : undefined;
      expect(again).toEqual({ kind: 'already-rotated', successorId });
    });

    test('a new token has spent nothing', async () => {
      const { token } = await store().create(aToken());
      const nothing = { spentMicroUsd: 0, reservedMicroUsd: 0 };
      expect(await store().spend(token.tenantId, token.id)).toEqual({
        day: nothing,
        month: nothing,
      });
    });
  });
}

function afterLast(page: readonly ApiToken[]): { after?: ApiToken } {
  const after = page.at(-1);
  return after ? { after } : {};
}
