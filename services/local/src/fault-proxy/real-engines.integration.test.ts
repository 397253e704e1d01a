import { Redis } from 'ioredis';
import { Client } from 'pg';
import { postgres } from '../engines/postgres/postgres';
import type { FreshDatabase } from '../engines/postgres/fresh-database';
import { requireRedis, startRedis } from '../engines/redis/start-redis';
import { startFaultProxy } from './start-fault-proxy';
import type { FaultProxy } from './start-fault-proxy';

const proxies: FaultProxy[] = [];

async function proxyTo(url: string): Promise<FaultProxy> {
  const { hostname: host, port } = new URL(url);
  const proxy = await startFaultProxy({ upstream: { host, port: Number(port) } });
  proxies.push(proxy);
  return proxy;
}

afterEach(async () => {
  await Promise.all(proxies.splice(0).map((proxy) => proxy.close()));
});

describe('between a client and PostgreSQL', () => {
  let database: FreshDatabase;
  beforeAll(async () => {
    database = await postgres();
  });
  afterAll(() => database.close());

  async function connect(url: string): Promise<Client> {
    const client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  test('a commit can succeed without its client ever learning of it', async () => {
    const proxy = await proxyTo(database.url);
    const direct = await connect(database.url);
    await direct.query('CREATE TABLE effects (id int PRIMARY KEY)');

    const client = await connect(proxy.through(database.url));
    await client.query('BEGIN');
    await client.query('INSERT INTO effects VALUES (1)');
    proxy.add({ type: 'limit_data', direction: 'downstream', bytes: 0 });
    await expect(client.query('COMMIT')).rejects.toThrow();

    expect((await direct.query('SELECT id FROM effects')).rows).toEqual([{ id: 1 }]);
    await direct.end();
  });

  test('a query survives being sent and answered byte by byte', async () => {
    const proxy = await proxyTo(database.url);
    proxy.add({ type: 'slicer', averageBytes: 1 });
    const client = await connect(proxy.through(database.url));
    const answer = await client.query<{ text: string }>(`SELECT repeat('祭', 1000) AS text`);
    expect(answer.rows[0]?.text).toBe('祭'.repeat(1_000));
    await client.end();
  });
});

describe('between a client and Redis', () => {
  test('a client that reconnects gets over a reset', async () => {
    const server = requireRedis(await startRedis());
    const proxy = await proxyTo(server.url);
    const client = new Redis(proxy.through(server.url), { retryStrategy: () => 10 });
    client.on('error', () => undefined);
    await client.set('kept', 'by the server');
    proxy.cutConnections();
    expect(await client.get('kept')).toBe('by the server');
    expect(proxy.stats().acceptedConnections).toBe(2);

    client.disconnect();
    await server.close();
  });
});
