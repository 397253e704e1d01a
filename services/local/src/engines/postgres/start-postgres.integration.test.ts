import { Client } from 'pg';
import { dropAbandonedDatabases, freshDatabase } from './fresh-database';
import { startPostgres } from './start-postgres';
import type { RunningPostgres } from './start-postgres';

jest.setTimeout(30_000);

let server: RunningPostgres;
const sessions: Client[] = [];

beforeAll(async () => {
  server = await startPostgres({ durable: false });
});
afterEach(async () => {
  await Promise.all(sessions.splice(0).map((session) => session.end()));
});
afterAll(() => server.close());

async function connect(url: string): Promise<Client> {
  const session = new Client({ connectionString: url });
  session.on('error', () => undefined);
  await session.connect();
  sessions.push(session);
  return session;
}

async function databaseExists(url: string): Promise<boolean> {
  const admin = await connect(server.url);
  const name = new URL(url).pathname.slice(1);
  const found = await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
  return found.rowCount === 1;
}

test('flushes commits by default', async () => {
  const durable = await startPostgres();
  const session = await connect(durable.url);
  expect((await session.query('SHOW fsync')).rows).toEqual([{ fsync: 'on' }]);
  await session.end();
  sessions.length = 0;
  await durable.close();
});

test('what was committed survives an immediate stop, what was not does not', async () => {
  const { url } = await freshDatabase(server.url);
  const before = await connect(url);
  await before.query('CREATE TABLE t (n int)');
  await before.query('INSERT INTO t VALUES (1)');
  await before.query('BEGIN');
  await before.query('INSERT INTO t VALUES (2)');

  await server.stopImmediately();
  expect(server.pid).toBeUndefined();
  await server.restart();

  const after = await connect(url);
  expect((await after.query('SELECT n FROM t')).rows).toEqual([{ n: 1 }]);
});

test('two databases of one server do not see each other', async () => {
  const [one, other] = await Promise.all([freshDatabase(server.url), freshDatabase(server.url)]);
  const session = await connect(one.url);
  await session.query('CREATE TABLE t ()');
  const elsewhere = await connect(other.url);
  await expect(elsewhere.query('SELECT * FROM t')).rejects.toThrow('does not exist');
});

test('closing drops the database under open connections', async () => {
  const database = await freshDatabase(server.url);
  await connect(database.url);
  await database.close();
  expect(await databaseExists(database.url)).toBe(false);
});

test('databases whose owners were cut off are dropped, those in use are not', async () => {
  const [kept, lost] = [await freshDatabase(server.url), await freshDatabase(server.url)];
  const admin = await connect(server.url);
  await admin.query(
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_locks
      WHERE locktype = 'advisory' AND granted
        AND (classid::bigint << 32 | objid::bigint) = hashtextextended($1, 0)`,
    [new URL(lost.url).pathname.slice(1)],
  );

  expect(await dropAbandonedDatabases(server.url)).toBeGreaterThanOrEqual(1);
  expect(await databaseExists(lost.url)).toBe(false);
  expect(await databaseExists(kept.url)).toBe(true);
  await kept.close();
});
