import { randomUUID } from 'node:crypto';
import { eventually } from './eventually';
import { startProgramProcess, type ProgramProcess } from './program-process';
import { QUICK_TIMEOUTS } from './quick-timeouts';
import { chatBody, openRaw, postRaw, textOf } from './raw-client';
import { setStage, type Stage } from './stage';
import { WIDE_QUOTAS } from './wide-quotas';

let stage: Stage;
let program: ProgramProcess;

beforeAll(async () => {
  stage = await setStage();
  const gateway = {
    slotsPerTask: 5,
    inFlightPerTask: 12,
    slotLeaseSeconds: 3,
    burstRequests: 1_000,
  };
  const overrides = {
    timeouts: QUICK_TIMEOUTS,
    quotas: WIDE_QUOTAS,
    gateway,
    acknowledged: { 'threshold-unreachable': 'A house this small is never scaled.' },
  };
  program = await startProgramProcess(
    stage.environment({ overrides, allowedOrigins: 'https://shop.example' }),
  );
}, 60_000);

afterAll(async () => {
  await program.stop();
  await stage.close();
});

beforeEach(() => stage.bedrock.reset());
afterEach(() => stage.bedrock.pace('instant'));

const body = (more: object = {}) => JSON.stringify(chatBody(more));

test('no more calls run at once than there are slots, and no more wait than fit', async () => {
  const { key } = await stage.newToken();
  stage.bedrock.pace({ firstTokenMs: 300, tokensPerSecond: 1_000 });
  const replies = await Promise.all(
    Array.from({ length: 30 }, () => postRaw(program.url, key, body({ max_tokens: 20 }))),
  );
  const refused = replies.filter(({ status }) => status === 503);
  expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(10);
  expect(refused.length).toBeGreaterThanOrEqual(18);
  for (const { headers } of refused) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  expect(stage.bedrock.overlap().peak).toBeLessThanOrEqual(5);
  await eventually(() => stage.bedrock.overlap().running === 0);
});

test('a token over its own requests per minute is told when to come back', async () => {
  const { key } = await stage.newToken({ rpm: 3 });
  const replies = [];
  for (let n = 0; n < 5; n += 1) replies.push(await postRaw(program.url, key, body()));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
  expect(replies[0]?.headers).toMatchObject({
    'x-ratelimit-limit-requests': '3',
    'x-ratelimit-remaining-requests': '2',
  });
  expect(Number(replies[4]?.headers['retry-after'])).toBeGreaterThan(10);
  expect(JSON.parse(replies[4]?.body ?? '')).toMatchObject({
    error: { code: 'rate_limit_exceeded' },
  });
});

test('a request larger than a token may ever use is refused for good', async () => {
  const { key } = await stage.newToken({ tpm: 500 });
  const reply = await postRaw(program.url, key, body({ max_tokens: 1_000 }));
  expect(reply.status).toBe(429);
  expect(reply.headers['x-should-retry']).toBe('false');
});

test('the address of many wrong keys is turned away; good keys behind it are not', async () => {
  const { key } = await stage.newToken();
  await postRaw(program.url, key, body());
  const statuses = [];
  for (let n = 0; n < 25; n += 1) {
    const { status } = await postRaw(program.url, `mts_${randomUUID()}`, body(), {
      'x-forwarded-for': '203.0.113.9',
    });
    statuses.push(status);
  }
  expect(statuses.slice(0, 20).every((status) => status === 401)).toBe(true);
  expect(statuses.at(-1)).toBe(429);
  const { status } = await postRaw(program.url, key, body(), { 'x-forwarded-for': '203.0.113.9' });
  expect(status).toBe(200);
});

test('a revoked token is refused within a second', async () => {
  const { id, key } = await stage.newToken();
  await postRaw(program.url, key, body());
  await stage.tokens.revoke('tenant-1', id);
  await eventually(async () => (await postRaw(program.url, key, body())).status === 401, 1_000);
});

test('health is answered while the house is full', async () => {
  const { key } = await stage.newToken();
  stage.bedrock.pace({ firstTokenMs: 500, tokensPerSecond: 1_000 });
  const busy = Array.from({ length: 12 }, () => openRaw(program.url, key, body({ stream: true })));
  const health = await fetch(`${program.healthUrl}/healthz`);
  const ready = await fetch(`${program.healthUrl}/readyz`);
  expect([health.status, ready.status]).toEqual([200, 200]);
  await Promise.all(busy.map(async (it) => textOf((await it).response)));
});

test('a page of another site may call only if it is on the list', async () => {
  const preflight = (origin: string) =>
    fetch(`${program.url}/v1/chat/completions`, { method: 'OPTIONS', headers: { origin } });
  expect((await preflight('https://evil.example')).status).toBe(403);
  const allowed = await preflight('https://shop.example');
  expect(allowed.status).toBe(204);
  expect(allowed.headers.get('access-control-allow-origin')).toBe('https://shop.example');
  const { key } = await stage.newToken();
  const { headers } = await postRaw(program.url, key, body(), { origin: 'https://shop.example' });
  expect(headers['access-control-allow-origin']).toBe('https://shop.example');
  expect(headers['access-control-expose-headers']).toContain('x-served-by');
});
