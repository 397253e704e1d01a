import { json, NOW_MS, setAppStage, type AppStage } from './app-stage';
import { aToken } from './token-store-contract';

const NEW_TOKEN = { user_id: 'alice', name: 'storefront' };

let stage: AppStage;
beforeEach(() => {
  stage = setAppStage();
});

async function created(tenant = 'acme', overrides: object = {}): Promise<Record<string, unknown>> {
  const response = await stage.call('POST', `/v1/tokens?tenant=${tenant}`, {
    ...NEW_TOKEN,
    ...overrides,
  });
  expect(response.status).toBe(201);
  return json(response);
}

const idOf = (token: Record<string, unknown>): string => String(token['id']);

test('a created token is shown once, with what it may do', async () => {
  const token = await created('acme', {
    allowed_models: ['simple', 'claude-sonnet-5'],
    requests_per_minute: 60,
    day_cap_usd: '12.5',
    expires_at: '2027-01-01T00:00:00+09:00',
  });
  expect(token).toMatchObject({
    tenant_id: 'acme',
    user_id: 'alice',
    status: 'active',
    allowed_models: ['simple', 'claude-sonnet-5'],
    requests_per_minute: 60,
    tokens_per_minute: null,
    day_cap_usd: '12.50',
    month_cap_usd: null,
    expires_at: '2026-12-31T15:00:00.000Z',
  });
  const plaintext = String(token['token']);
  expect(plaintext).toMatch(/^mts_/);
  expect(token['hint']).toBe(`mts_…${plaintext.slice(-4)}`);

  const shown = await stage.call('GET', `/v1/tokens/${idOf(token)}?tenant=acme`);
  expect(await json(shown)).not.toHaveProperty('token');
  expect(stage.lines.join('')).not.toContain(plaintext.slice(4, 20));
});

test('a request that is sent again under its key makes no second token, and shows none twice', async () => {
  const ask = (body: object, key: string) =>
    stage.call('POST', '/v1/tokens?tenant=acme', body, { 'idempotency-key': key });
  const first = await ask(NEW_TOKEN, 'k-1');
  expect(first.status).toBe(201);
  const issued = await json(first);
  expect(issued['token']).toMatch(/^mts_/);

  const again = await ask(NEW_TOKEN, 'k-1');
  expect(again.status).toBe(200);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  const { token: _, ...visible } = issued;
  expect(await json(again)).toEqual(visible);

  const other = await ask({ ...NEW_TOKEN, name: 'another' }, 'k-1');
  expect(other.status).toBe(409);
  expect(await json(other)).toMatchObject({
    type: 'urn:matsuri:problem:idempotency-conflict',
    token_id: issued['id'],
  });
  expect((await ask(NEW_TOKEN, 'k 2')).status).toBe(400);
  expect((await ask(NEW_TOKEN, 'k'.repeat(256))).status).toBe(400);
  expect(await stage.tokens.list({ tenantId: 'acme' })).toHaveLength(1);
});

test('no answer about tokens may be kept by a cache', async () => {
  const response = await stage.call('GET', '/v1/tokens?tenant=acme');
  expect(response.headers.get('cache-control')).toBe('no-store');
});

test.each<[string, object, string]>([
  ['an unknown model', { allowed_models: ['simpel'] }, 'body.allowed_models'],
  ['a moment that has passed', { expires_at: '2026-11-18T12:00:00Z' }, 'body.expires_at'],
  ['a moment without a zone', { expires_at: '2027-01-01T00:00:00' }, 'body.expires_at'],
  ['an unknown field', { admin: true }, 'body'],
  ['a cap as a number', { day_cap_usd: 12 }, 'body.day_cap_usd'],
  ['a negative cap', { day_cap_usd: '-1' }, 'body.day_cap_usd'],
  ['a rate beyond the database', { requests_per_minute: 2 ** 31 }, 'body.requests_per_minute'],
  ['a rate of nothing', { tokens_per_minute: 0 }, 'body.tokens_per_minute'],
  ['a name of spaces', { name: '   ' }, 'body.name'],
  ['a name with a terminal command', { name: 'a\u001b[2J' }, 'body.name'],
  ['a name with a null character', { name: 'a\u0000b' }, 'body.name'],
  ['half a character', { name: 'a\ud800' }, 'body.name'],
  ['a user with a space', { user_id: 'a b' }, 'body.user_id'],
  ['an empty list of models', { allowed_models: [] }, 'body.allowed_models'],
])('%s is refused and nothing is created', async (_, overrides, at) => {
  const response = await stage.call('POST', '/v1/tokens?tenant=acme', {
    ...NEW_TOKEN,
    ...overrides,
  });
  expect(response.status).toBe(400);
  const body = await json(response);
  expect(body).toMatchObject({ type: 'urn:matsuri:problem:invalid-request', errors: [{ at }] });
  expect(await stage.tokens.list({ tenantId: 'acme' })).toEqual([]);
});

test('a list comes in pages, each token once', async () => {
  for (let i = 0; i < 5; i++) await created();
  await created('other');
  const seen: string[] = [];
  let cursor: unknown = null;
  let pages = 0;
  do {
    const from = typeof cursor === 'string' ? `&cursor=${cursor}` : '';
    const page = await json(await stage.call('GET', `/v1/tokens?tenant=acme&limit=2${from}`));
    seen.push(...(page['data'] as { id: string }[]).map(({ id }) => id));
    cursor = page['next_cursor'];
    pages++;
  } while (cursor !== null);
  expect(new Set(seen).size).toBe(5);
  expect(pages).toBe(3);
});

test.each([
  '',
  '&cursor=!',
  '&cursor=e30',
  '&limit=0',
  '&limit=201',
  '&limit=x',
  '&page=2',
  '&tenant=b',
])('a list asked with %j beside the tenant is judged strictly', async (query) => {
  const response = await stage.call('GET', `/v1/tokens?tenant=acme${query}`);
  expect(response.status).toBe(query === '' ? 200 : 400);
});

test('a revoked token says so, and may be revoked again', async () => {
  const token = await created();
  for (let i = 0; i < 2; i++) {
    const response = await stage.call('POST', `/v1/tokens/${idOf(token)}/revoke?tenant=acme`);
    expect(await json(response)).toMatchObject({
      status: 'revoked',
      revoked_at: new Date(NOW_MS).toISOString(),
    });
  }
});

test('a rotation shows the successor and lets the old token work for a day', async () => {
  const token = await created('acme', { requests_per_minute: 9 });
  const response = await stage.call('POST', `/v1/tokens/${idOf(token)}/rotate?tenant=acme`);
  expect(response.status).toBe(201);
  const successor = await json(response);
  expect(successor).toMatchObject({ predecessor_id: token['id'], requests_per_minute: 9 });
  expect(successor['token']).not.toBe(token['token']);
  const old = await json(await stage.call('GET', `/v1/tokens/${idOf(token)}?tenant=acme`));
  expect(old).toMatchObject({ status: 'rotating', overlap_until: '2026-11-19T12:00:00.000Z' });
});

test('an overlap may be asked for', async () => {
  const token = await created();
  await stage.call('POST', `/v1/tokens/${idOf(token)}/rotate?tenant=acme`, { overlap_seconds: 0 });
  const old = await json(await stage.call('GET', `/v1/tokens/${idOf(token)}?tenant=acme`));
  expect(old['status']).toBe('rotated');
});

test('a second rotation learns the successor', async () => {
  const token = await created();
  const rotate = `/v1/tokens/${idOf(token)}/rotate?tenant=acme`;
  const successor = await json(await stage.call('POST', rotate));
  const again = await stage.call('POST', rotate);
  expect(again.status).toBe(409);
  expect(await json(again)).toMatchObject({
    type: 'urn:matsuri:problem:already-rotated',
    successor_id: successor['id'],
  });
});

test('a token that no longer works is not rotated', async () => {
  const token = await created();
  await stage.call('POST', `/v1/tokens/${idOf(token)}/revoke?tenant=acme`);
  const response = await stage.call('POST', `/v1/tokens/${idOf(token)}/rotate?tenant=acme`);
  expect(response.status).toBe(409);
  expect(await json(response)).toMatchObject({ type: 'urn:matsuri:problem:token-inactive' });
});

test('spending is shown against the caps, never below nothing', async () => {
  const { token } = await stage.tokens.create(
    aToken({ tenantId: 'acme', dayCapMicroUsd: 10_000_000, monthCapMicroUsd: null }),
  );
  stage.tokens.setSpend(token.id, {
    day: { spentMicroUsd: 9_000_000, reservedMicroUsd: 2_000_000 },
    month: { spentMicroUsd: 42, reservedMicroUsd: 0 },
  });
  const response = await stage.call('GET', `/v1/tokens/${token.id}/spend?tenant=acme`);
  expect(await json(response)).toEqual({
    token_id: token.id,
    day: {
      spent_usd: '9.00',
      reserved_usd: '2.00',
      cap_usd: '10.00',
      remaining_usd: '0.00',
      resets_at: '2026-11-19T00:00:00.000Z',
    },
    month: {
      spent_usd: '0.000042',
      reserved_usd: '0.00',
      cap_usd: null,
      remaining_usd: null,
      resets_at: '2026-12-01T00:00:00.000Z',
    },
  });
});
