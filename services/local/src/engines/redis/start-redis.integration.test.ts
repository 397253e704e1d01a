import { Redis } from 'ioredis';
import { requireRedis, startRedis } from './start-redis';
import type { RunningRedis } from './start-redis';

const servers: RunningRedis[] = [];
const clients: Redis[] = [];

async function freshServer(): Promise<{ server: RunningRedis; client: Redis }> {
  const server = requireRedis(await startRedis());
  const client = new Redis(server.url, { retryStrategy: () => 10, maxRetriesPerRequest: null });
  client.on('error', () => undefined);
  servers.push(server);
  clients.push(client);
  return { server, client };
}

afterEach(async () => {
  for (const client of clients.splice(0)) client.disconnect();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

test.each([
  ['keeps nothing on disk', 'save', ''],
  ['keeps no log of writes', 'appendonly', 'no'],
  ['evicts nothing', 'maxmemory-policy', 'noeviction'],
  ['listens on loopback only', 'bind', '127.0.0.1'],
])('%s', async (_, setting, value) => {
  const { client } = await freshServer();
  expect(await client.config('GET', setting)).toEqual([setting, value]);
});

test('comes back empty on the same port after kill -9', async () => {
  const { server, client } = await freshServer();
  await client.set('before', 'the kill');
  await server.kill();
  expect(server.pid).toBeUndefined();

  await server.restart();
  expect(await client.get('before')).toBeNull();
});

test('answers nothing while paused, and everything afterwards', async () => {
  const { server, client } = await freshServer();
  await client.set('before', 'the pause');
  await server.pause();
  const answer = client.get('before');
  const silence = new Promise((resolve) => setTimeout(resolve, 100, 'silence'));
  expect(await Promise.race([answer, silence])).toBe('silence');

  await server.resume();
  expect(await answer).toBe('the pause');
});

test('ends even while paused', async () => {
  const server = requireRedis(await startRedis());
  await server.pause();
  await server.close();
  expect(server.pid).toBeUndefined();
});

test('two servers of one program do not see each other', async () => {
  const [one, other] = [await freshServer(), await freshServer()];
  await one.client.set('mine', '1');
  expect(await other.client.get('mine')).toBeNull();
});
