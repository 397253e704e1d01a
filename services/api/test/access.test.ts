import { DatabaseUnavailableError } from '@matsuri/database';
import { ADMIN_TOKEN, json, setAppStage } from './app-stage';

const from = (address: string): Record<string, string> => ({ 'x-forwarded-for': address });
const wrong = (address: string): Record<string, string> => ({
  authorization: 'Bearer wrong',
  ...from(address),
});

test.each([
  ['no credential', {}],
  ['another scheme', { authorization: `Basic ${ADMIN_TOKEN}` }],
  ['a wrong secret', { authorization: 'Bearer wrong' }],
  ['a part of the secret', { authorization: `Bearer ${ADMIN_TOKEN.slice(0, -1)}` }],
  ['more than the secret', { authorization: `Bearer ${ADMIN_TOKEN}x` }],
  ['an endless secret', { authorization: `Bearer ${'x'.repeat(10_000)}` }],
])('with %s nobody gets in', async (_, headers) => {
  const { ask } = setAppStage();
  const response = await ask('/v1/tokens?tenant=acme', { headers });
  expect(response.status).toBe(401);
  expect(response.headers.get('www-authenticate')).toContain('Bearer');
  expect(response.headers.get('content-type')).toBe('application/problem+json');
});

test('an address that guesses has to wait, then may try again; others are not touched', async () => {
  const { ask, call, clock } = setAppStage();
  for (let i = 0; i < 10; i++) {
    const refused = await ask('/v1/usage', { headers: wrong('203.0.113.1') });
    expect(refused.status).toBe(401);
  }
  const limited = await call('GET', '/v1/usage', undefined, from('203.0.113.1'));
  expect(limited.status).toBe(429);
  expect((await call('GET', '/v1/usage', undefined, from('203.0.113.2'))).status).toBe(200);

  await clock.advance(Number(limited.headers.get('retry-after')) * 1_000);
  expect((await call('GET', '/v1/usage', undefined, from('203.0.113.1'))).status).toBe(200);
});

test('asking without a credential is no guess', async () => {
  const { ask, call } = setAppStage();
  for (let i = 0; i < 30; i++) await ask('/v1/usage', { headers: from('203.0.113.1') });
  expect((await call('GET', '/v1/usage', undefined, from('203.0.113.1'))).status).toBe(200);
});

test('neither a right nor a wrong secret is logged', async () => {
  const { ask, call, lines } = setAppStage();
  await call('GET', '/v1/usage');
  await ask('/v1/usage', { headers: { authorization: 'Bearer some-wrong-secret' } });
  const log = lines.join('');
  expect(log).toContain('credential refused');
  expect(log).not.toContain(ADMIN_TOKEN);
  expect(log).not.toContain('some-wrong-secret');
});

test("the caller's request id comes back and is logged; a forged one is replaced", async () => {
  const { call, lines } = setAppStage();
  const kept = await call('GET', '/v1/usage', undefined, { 'x-request-id': 'abc-123' });
  expect(kept.headers.get('x-request-id')).toBe('abc-123');
  expect(lines.join('')).toContain('"request_id":"abc-123"');
  const forged = await call('GET', '/v1/usage', undefined, { 'x-request-id': 'a b"}' });
  expect(forged.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
});

test('a refusal carries the request id', async () => {
  const { ask } = setAppStage();
  const response = await ask('/v1/usage', { headers: { 'x-request-id': 'abc' } });
  expect(await json(response)).toMatchObject({ status: 401, request_id: 'abc' });
  expect(response.headers.get('x-request-id')).toBe('abc');
});

test.each([
  ['https://console.example', 'https://console.example'],
  ['https://evil.example', null],
  ['https://console.example.evil.example', null],
  ['null', null],
])('a page of %s is allowed as %s', async (origin, allowed) => {
  const { ask } = setAppStage();
  const preflight = await ask('/v1/tokens', {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'POST' },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('access-control-allow-origin')).toBe(allowed);
  expect(preflight.headers.get('access-control-allow-credentials')).toBeNull();
});

test('unknown paths are not found, and known ones name their methods', async () => {
  const { call } = setAppStage();
  expect((await call('GET', '/v1/nothing')).status).toBe(404);
  expect((await call('GET', '/')).status).toBe(404);
  const response = await call('DELETE', '/v1/tokens?tenant=acme');
  expect(response.status).toBe(405);
  expect(response.headers.get('allow')).toBe('POST, GET');
});

test('a database that cannot be asked is told with a time to come back', async () => {
  const usage = { summarise: () => Promise.reject(new DatabaseUnavailableError('no-connection')) };
  const response = await setAppStage({ usage }).call('GET', '/v1/usage');
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('2');
});

test('what nobody foresaw is logged and told to nobody', async () => {
  const usage = { summarise: () => Promise.reject(new Error('the digest is 0xdeadbeef')) };
  const { call, lines } = setAppStage({ usage });
  const response = await call('GET', '/v1/usage');
  expect(response.status).toBe(500);
  expect(await response.text()).not.toContain('deadbeef');
  expect(lines.join('')).toContain('deadbeef');
});
