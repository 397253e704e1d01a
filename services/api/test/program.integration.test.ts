import { PATHS } from '@matsuri/contract';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { apiDocumentShape, operationsOf, sampleRequest } from './api-document';
import { setDatabaseStage, type DatabaseStage } from './database-stage';
import { eventually } from './eventually';
import { ADMIN_TOKEN, startProgram, type RunningProgram } from './program';
import { crossings } from './tenant-isolation';
import { aToken } from './token-store-contract';

jest.setTimeout(120_000);

let database: DatabaseStage;
let program: RunningProgram;

beforeAll(async () => {
  database = await setDatabaseStage();
  program = await startProgram({ databaseUrl: database.url });
});
afterAll(async () => {
  program.signal('SIGTERM');
  await program.ended;
  await database.close();
});

interface Ask {
  readonly method: string;
  readonly url: string;
  readonly body?: unknown;
}

function ask(server: RunningProgram, { method, url, body }: Ask): Promise<Response> {
  return fetch(server.url + url, {
    method,
    headers: {
      authorization: `Bearer ${ADMIN_TOKEN}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

async function reference(server: RunningProgram) {
  return apiDocumentShape.parse(await (await fetch(server.url + PATHS.openapi)).json());
}

test('health answers on its own port and the API on its own', async () => {
  expect((await fetch(program.healthUrl + PATHS.health)).status).toBe(200);
  expect((await fetch(program.healthUrl + PATHS.ready)).status).toBe(200);
  expect((await fetch(program.url + PATHS.health)).status).toBe(404);
  expect((await fetch(program.healthUrl + PATHS.tokens)).status).toBe(404);
});

test('every documented route answers from the real database', async () => {
  const document = await reference(program);
  for (const operation of operationsOf(document)) {
    const { token } = await database.tokens.create(aToken({ tenantId: 'acme' }));
    const sample = sampleRequest(document, operation, { id: token.id, tenant: 'acme' });
    const response = await ask(program, sample);
    const { operationId, responses } = operation;
    const fine = Object.keys(responses).filter((status) => status.startsWith('2'));
    expect([operationId, fine]).toEqual([
      operationId,
      expect.arrayContaining([String(response.status)]),
    ]);
  }
});

test("no route reaches another tenant's token", async () => {
  const { token } = await database.tokens.create(aToken({ tenantId: 'theirs' }));
  const attempts = crossings(await reference(program), 'ours', token.id);
  for (const { operationId, sample } of attempts) {
    expect([operationId, (await ask(program, sample)).status]).toEqual([operationId, 404]);
  }
  expect(await database.tokens.get('theirs', token.id)).toEqual(token);
});

test('the log holds neither the secret nor a token', async () => {
  const url = '/v1/tokens?tenant=acme';
  const response = await ask(program, {
    method: 'POST',
    url,
    body: { user_id: 'alice', name: 'n' },
  });
  const { token } = (await response.json()) as { token: string };
  const requestId = response.headers.get('x-request-id') ?? '';
  await eventually(() => Promise.resolve(program.lines.some((line) => line.includes(requestId))));
  expect(program.lines.join('\n')).not.toContain(token.slice(4, 20));
  expect(program.lines.join('\n')).not.toContain(ADMIN_TOKEN);
});

test('reports come from the reader', async () => {
  const reader = await setDatabaseStage();
  const { token } = await reader.tokens.create(aToken({ tenantId: 'acme' }));
  await reader.recordCall({
    tenantId: 'acme',
    userId: 'alice',
    tokenId: token.id,
    costMicroUsd: 1_500_000,
  });
  const server = await startProgram({ databaseUrl: database.url, readerUrl: reader.url });
  const report = await ask(server, { method: 'GET', url: '/v1/usage?tenant=acme&group_by=user' });
  expect(await report.json()).toMatchObject({ data: [{ key: 'alice', cost_usd: '1.50' }] });
  const writes = await ask(server, { method: 'GET', url: `/v1/tokens/${token.id}?tenant=acme` });
  expect(writes.status).toBe(404);
  server.signal('SIGTERM');
  expect(await server.ended).toBe(0);
  await reader.close();
});

test('without its database it stays up, says 503, and recovers nothing by restarting', async () => {
  const nowhere = new URL(database.url);
  nowhere.port = '1';
  const server = await startProgram({ databaseUrl: nowhere.href });
  const response = await ask(server, { method: 'GET', url: '/v1/tokens?tenant=acme' });
  expect(response.status).toBe(503);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await fetch(server.healthUrl + PATHS.ready)).status).toBe(200);
  server.signal('SIGTERM');
  expect(await server.ended).toBe(0);
});

test('on SIGTERM it finishes what it has begun, takes nothing new, and ends with 0', async () => {
  const server = await startProgram({ databaseUrl: database.url });
  const body = JSON.stringify({ user_id: 'alice', name: 'in flight' });
  const socket = await begunRequest(server, body.length);
  const idle = connect(Number(new URL(server.url).port), '127.0.0.1');
  await once(idle, 'connect');

  server.signal('SIGTERM');
  await eventually(async () => (await fetch(server.healthUrl + PATHS.ready)).status === 503);
  await expect(fetch(server.url + PATHS.openapi)).rejects.toThrow();
  socket.write(body);
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 201[^]*"token":"mts_/);
  expect(await server.ended).toBe(0);
  const drained = server.lines.find((line) => line.includes('"drained"')) ?? '';
  expect(drained).toContain('"outcome":"clean"');
  idle.destroy();
});

/** A request whose headers were accepted and whose body is still to come. */
async function begunRequest(server: RunningProgram, length: number): Promise<Socket> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.write(
    [
      'POST /v1/tokens?tenant=acme HTTP/1.1',
      'host: localhost',
      `authorization: Bearer ${ADMIN_TOKEN}`,
      'content-type: application/json',
      `content-length: ${length}`,
      'expect: 100-continue',
      '',
      '',
    ].join('\r\n'),
  );
  const [interim] = (await once(socket, 'data')) as [Buffer];
  expect(interim.toString()).toContain('100 Continue');
  return socket;
}
