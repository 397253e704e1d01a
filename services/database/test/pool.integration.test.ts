import { postgres } from '@matsuri/local';
import type { FreshDatabase } from '@matsuri/local';
import { createPool, DatabaseUnavailableError } from '../src';
import type { DatabasePool, PoolOptions } from '../src';
import { eventually } from './eventually';
import { startLossyProxy } from './lossy-proxy';

let database: FreshDatabase;
const pools: DatabasePool[] = [];
beforeAll(async () => {
  database = await postgres();
});
afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.close())));
afterAll(() => database.close());

function open(options: Partial<PoolOptions> = {}): DatabasePool {
  const pool = createPool({
    url: database.url,
    applicationName: 'pool-test',
    maxConnections: 2,
    acquireTimeoutMs: 200,
    ...options,
  });
  pools.push(pool);
  return pool;
}

const hold = { text: 'SELECT pg_sleep(30)' };
const reasonOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no failure',
    (error: unknown) => (error instanceof DatabaseUnavailableError ? error.reason : error),
  );

/** Keeps every connection of a pool busy until released. */
async function occupy(pool: DatabasePool, connections: number): Promise<() => Promise<void>> {
  const release = Promise.withResolvers<undefined>();
  const held = Array.from({ length: connections }, () =>
    pool.transaction(() => release.promise.then(() => undefined)),
  );
  await eventually(() => expect(pool.figures().active).toBe(connections));
  return async () => {
    release.resolve(undefined);
    await Promise.all(held);
  };
}

test('never opens more connections than it may, and says what it does', async () => {
  const pool = open({ maxConnections: 3, acquireTimeoutMs: 5_000 });
  await Promise.all(
    Array.from({ length: 50 }, () => pool.query({ text: 'SELECT pg_sleep(0.001)' })),
  );
  const [row] = await pool.query<{ n: number }>({
    text: `SELECT count(*)::int AS n FROM pg_stat_activity
            WHERE application_name = 'pool-test' AND datname = current_database()`,
  });
  expect(row?.n).toBeLessThanOrEqual(3);
  expect(pool.figures()).toMatchObject({ active: 0, waiting: 0, acquireTimeouts: 0 });
});

test('who waits too long for a connection is told, and counted', async () => {
  const pool = open();
  const release = await occupy(pool, 2);
  expect(await reasonOf(pool.query({ text: 'SELECT 1' }))).toBe('no-connection');
  expect(pool.figures()).toMatchObject({ active: 2, acquireTimeouts: 1 });
  await release();
});

test('a full waiting line refuses at once', async () => {
  const pool = open({ maxWaiting: 1, acquireTimeoutMs: 10_000 });
  const release = await occupy(pool, 2);
  const waiting = pool.query({ text: 'SELECT 1' });
  await eventually(() => expect(pool.figures().waiting).toBe(1));
  expect(await reasonOf(pool.query({ text: 'SELECT 1' }))).toBe('overloaded');
  await release();
  await waiting;
});

test('a statement that takes too long is ended by the server', async () => {
  const pool = open({ statementTimeoutMs: 100 });
  expect(await reasonOf(pool.query(hold))).toBe('deadline');
  expect(await pool.query({ text: 'SELECT 1 AS one' })).toEqual([{ one: 1 }]);
});

test('a server that falls silent is given up, and its connection with it', async () => {
  const proxy = await startLossyProxy(database.url);
  const pool = open({ url: proxy.url, statementTimeoutMs: 100 });
  await pool.query({ text: 'SELECT 1' });
  proxy.goSilent();
  expect(await reasonOf(pool.query({ text: 'SELECT 1' }))).toBe('deadline');
  expect(pool.figures()).toMatchObject({ active: 0, idle: 0 });
  proxy.speakAgain();
  expect(await pool.query({ text: 'SELECT 1 AS one' })).toEqual([{ one: 1 }]);
  await pool.close();
  pools.splice(pools.indexOf(pool), 1);
  await proxy.close();
});

test('nobody there: no connection', async () => {
  const pool = open({ url: 'postgres://x:y@127.0.0.1:1/none' });
  expect(await reasonOf(pool.query({ text: 'SELECT 1' }))).toBe('no-connection');
});

test('a mistake in a statement is not an absence', async () => {
  expect(await reasonOf(open().query({ text: 'SELEC' }))).toMatchObject({ code: '42601' });
});

test('a transaction that fails leaves nothing, and its connection is free again', async () => {
  const pool = open();
  await pool.query({ text: 'CREATE TABLE IF NOT EXISTS scratch (n int)' });
  const failing = pool.transaction(async (query) => {
    await query({ text: 'INSERT INTO scratch VALUES (1)' });
    throw new Error('changed my mind');
  });
  await expect(failing).rejects.toThrow('changed my mind');
  expect(await pool.query({ text: 'SELECT n FROM scratch' })).toEqual([]);
  expect(pool.figures().active).toBe(0);
});
