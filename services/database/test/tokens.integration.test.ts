import { randomUUID } from 'node:crypto';
import { createApiTokenRepository } from '../src';
import { allDigests, newestDigest } from '../src/tokens/token-digest';
import { aPepperRing, aTokenRequest } from './fixtures';
import { setStage } from './stage';
import type { Stage } from './stage';

jest.setTimeout(30_000);

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.close());

const inTenant = () => ({ tenantId: `tenant-${randomUUID()}` });

test('a token is stored without itself', async () => {
  const { token, plaintext } = await stage.tokens.create(aTokenRequest());
  const [row] = await stage.pool.query<{ row: string }>({
    text: 'SELECT t::text AS row FROM api_tokens t WHERE id = $1',
    values: [token.id],
  });
  expect(row?.row).not.toContain(plaintext.slice(4, 20));
  expect(row?.row).toContain(newestDigest(plaintext, aPepperRing()).digest.toString('hex'));
  expect(JSON.stringify(token)).not.toContain('digest');
  expect(plaintext.endsWith(token.lastFour)).toBe(true);
});

test('a token carries what it was given', async () => {
  const request = aTokenRequest({
    ...inTenant(),
    allowedModels: ['simple', 'complex'],
    rpm: 60,
    tpm: 100_000,
    dayCapMicroUsd: 5_000_000_000_000,
    monthCapMicroUsd: 0,
    expiresAt: new Date('2030-01-01T00:00:00.123Z'),
  });
  const { token } = await stage.tokens.create(request);
  expect(await stage.tokens.get(request.tenantId, token.id)).toEqual(token);
  expect(token).toMatchObject(request);
});

test('another tenant finds, revokes and rotates nothing', async () => {
  const { token } = await stage.tokens.create(aTokenRequest(inTenant()));
  const stranger = inTenant().tenantId;
  expect(await stage.tokens.get(stranger, token.id)).toBeUndefined();
  expect(await stage.tokens.spend(stranger, token.id)).toBeUndefined();
  expect(await stage.tokens.list({ tenantId: stranger })).toEqual([]);
  expect(await stage.tokens.revoke(stranger, token.id)).toBe('not-found');
  expect(await stage.tokens.rotate(stranger, token.id, 0)).toEqual({ kind: 'not-found' });
});

test('lists every token once, oldest first, page by page', async () => {
  const tenant = inTenant();
  const created = await Promise.all(
    Array.from({ length: 7 }, () => stage.tokens.create(aTokenRequest(tenant))),
  );
  const seen: string[] = [];
  for (let after; ;) {
    const page = await stage.tokens.list({ ...tenant, limit: 3, ...(after && { after }) });
    seen.push(...page.map(({ id }) => id));
    after = page.at(-1);
    if (after === undefined) break;
  }
  expect(seen.toSorted()).toEqual(created.map(({ token }) => token.id).toSorted());
});

test('lists the tokens of one user', async () => {
  const tenant = inTenant();
  await stage.tokens.create(aTokenRequest({ ...tenant, userId: 'user-a' }));
  await stage.tokens.create(aTokenRequest({ ...tenant, userId: 'user-b' }));
  const listed = await stage.tokens.list({ ...tenant, userId: 'user-b' });
  expect(listed.map(({ userId }) => userId)).toEqual(['user-b']);
});

test('a revocation is one, however often it is asked for', async () => {
  const { token } = await stage.tokens.create(aTokenRequest());
  expect(await stage.tokens.revoke(token.tenantId, token.id)).toBe('revoked');
  expect(await stage.tokens.revoke(token.tenantId, token.id)).toBe('already-revoked');
  expect(await stage.tokens.rotate(token.tenantId, token.id, 0)).toEqual({ kind: 'inactive' });
});

test('a rotated token has a successor with its rights, and works on for the overlap', async () => {
  const request = aTokenRequest({ allowedModels: ['simple'], rpm: 5, dayCapMicroUsd: 9 });
  const { token } = await stage.tokens.create(request);
  const rotated = await stage.tokens.rotate(token.tenantId, token.id, 3_600_000);
  expect(rotated).toMatchObject({
    kind: 'rotated',
    token: { ...request, predecessorId: token.id, spendAccountId: token.id, overlapUntil: null },
  });
  const old = await stage.tokens.get(token.tenantId, token.id);
  const overlapMs = (old?.overlapUntil?.getTime() ?? 0) - Date.now();
  expect(overlapMs).toBeGreaterThan(3_500_000);
  expect(overlapMs).toBeLessThanOrEqual(3_600_000);
});

test('twenty rotations at once leave one successor', async () => {
  const { token } = await stage.tokens.create(aTokenRequest());
  const many = stage.openPool({ maxConnections: 10, acquireTimeoutMs: 10_000 });
  const tokens = createApiTokenRepository(many, aPepperRing());
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, () => tokens.rotate(token.tenantId, token.id, 0)),
  );
  const [winner, ...others] = outcomes.filter(({ kind }) => kind === 'rotated');
  expect(others).toEqual([]);
  const successorId = winner?.kind === 'rotated' ? winner.token.id : 'none';
  expect(outcomes.filter(({ kind }) => kind === 'already-rotated')).toEqual(
    Array(19).fill({ kind: 'already-rotated', successorId }),
  );
});

test('spend reads the counters of today and of this month', async () => {
  const { token } = await stage.tokens.create(aTokenRequest());
  await stage.pool.query({
    text: `UPDATE spend_counters SET day = day - 40, day_spent_micro_usd = 1,
                  month_spent_micro_usd = 5, month_reserved_micro_usd = 6 WHERE account_id = $1`,
    values: [token.id],
  });
  expect(await stage.tokens.spend(token.tenantId, token.id)).toEqual({
    day: { spentMicroUsd: 0, reservedMicroUsd: 0 },
    month: { spentMicroUsd: 5, reservedMicroUsd: 6 },
  });
});

test('among twenty thousand a token is found through the index, under an old pepper too', async () => {
  await stage.pool.query({
    text: `INSERT INTO api_tokens (id, tenant_id, user_id, name, digest, pepper_version, last_four, spend_account_id)
           SELECT gen_random_uuid(), 'crowd', 'user', 'n', sha256(n::text::bytea), 1, 'abcd', gen_random_uuid()
             FROM generate_series(1, 20000) n`,
  });
  await stage.pool.query({ text: 'ANALYZE api_tokens' });
  const { token, plaintext } = await stage.tokens.create(aTokenRequest());
  const digests = allDigests(plaintext, aPepperRing(1, 2)).map(({ digest }) => digest);
  expect(await stage.tokens.findByDigests(digests)).toMatchObject([{ token: { id: token.id } }]);

  const plan = await stage.pool.query<{ 'QUERY PLAN': string }>({
    text: 'EXPLAIN SELECT * FROM api_tokens WHERE digest IN ($1, $2)',
    values: digests,
  });
  const text = plan.map((line) => line['QUERY PLAN']).join('\n');
  expect(text).toContain('api_tokens_digest_key');
  expect(text).not.toContain('Seq Scan');
});
