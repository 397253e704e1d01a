import fc from 'fast-check';
import { ADMIN_TOKEN, json, setAppStage } from './app-stage';
import { HOSTILE_BODIES } from './hostile-bodies';

const stage = setAppStage();

const create = (body: string): Promise<Response> =>
  stage.call('POST', '/v1/tokens?tenant=acme', body);

test.each(HOSTILE_BODIES)('%s is refused in a few words', async (_, body) => {
  const response = await create(body);
  expect(response.status).toBe(400);
  const text = await response.text();
  expect(text.length).toBeLessThan(10_000);
  expect(await stage.tokens.list({ tenantId: 'acme' })).toEqual([]);
  expect(Object.prototype).not.toHaveProperty('admin');
});

test('no JSON of any shape breaks a route', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue({ maxDepth: 5 }), async (value) => {
      expect((await create(JSON.stringify(value))).status).toBe(400);
      const rotated = await stage.call('POST', `/v1/tokens/${ID}/rotate?tenant=a`, value ?? {});
      expect([400, 404]).toContain(rotated.status);
    }),
    { numRuns: 60 },
  );
});

const ID = '7e3a1f0e-3b8a-4c4e-9d0a-0d1e2f3a4b5c';

test('no text in a path or a query breaks a route', async () => {
  const text = fc.string({ unit: 'binary', maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(text, text, async (first, second) => {
      const [a, b] = [encoded(first), encoded(second)];
      for (const url of [
        `/v1/tokens/${a}?tenant=${b}`,
        `/v1/tokens?tenant=acme&cursor=${a}`,
        `/v1/usage?from=${a}&to=${b}`,
        `/v1/usage?${a}=${b}`,
        `/v1/usage?user=${a}&model=${b}&cursor=${a}`,
      ]) {
        expect((await stage.call('GET', url)).status).toBeLessThan(500);
      }
    }),
    { numRuns: 60 },
  );
});

function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

test('a body must say that it is JSON', async () => {
  const path = '/v1/tokens?tenant=acme';
  const form = await stage.call('POST', path, 'a=b', {
    'content-type': 'application/x-www-form-urlencoded',
  });
  expect(form.status).toBe(415);
  expect(await json(form)).toMatchObject({ type: 'urn:matsuri:problem:unsupported-media-type' });
});

test('a body is refused by the size it states, before it is read', async () => {
  const response = await stage.call('POST', '/v1/tokens?tenant=acme', '{}', {
    'content-length': '65537',
  });
  expect(response.status).toBe(413);
});

test('a body is refused by the size it turns out to have', async () => {
  expect((await create('x'.repeat(64 * 1_024 + 1))).status).toBe(413);
});

test('a body that trickles is given up', async () => {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{')),
  });
  const answer = stage.ask('/v1/tokens?tenant=acme', {
    method: 'POST',
    body,
    duplex: 'half',
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
  });
  await stage.clock.advance(10_000);
  expect((await answer).status).toBe(408);
  expect(stage.clock.pendingTimers).toBe(0);
});

test('a body that breaks off is the fault of who sent it', async () => {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.error(new Error('connection lost')),
  });
  const response = await stage.ask('/v1/tokens?tenant=acme', {
    method: 'POST',
    body,
    duplex: 'half',
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
  });
  expect(response.status).toBe(400);
});
