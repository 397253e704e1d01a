import { randomBytes } from 'node:crypto';
import { Socket } from 'node:net';
import { Client } from 'pg';

const NAME_PREFIX = 'matsuri_test_';

/** A database nobody else uses, dropped on close. */
export interface FreshDatabase {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Creates an empty database on a server. While it is ours, our session holds a lock named after it; the
 * server frees that lock when we end, however we end, which is how `dropAbandonedDatabases` knows.
 */
export async function freshDatabase(serverUrl: string): Promise<FreshDatabase> {
  const name = `${NAME_PREFIX}${randomBytes(8).toString('hex')}`;
  const socket = new Socket();
  const session = await connect(serverUrl, socket);
  await session.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [name]);
  await session.query(`CREATE DATABASE ${name}`);
  socket.unref();

  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    async close() {
      socket.ref();
      await session.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      await session.end();
    },
  };
}

/** Drops what killed runs left on a server that outlives them; returns how many. */
export async function dropAbandonedDatabases(serverUrl: string): Promise<number> {
  const session = await connect(serverUrl);
  try {
    const abandoned = await session.query<{ datname: string }>(
      `SELECT datname FROM pg_database
        WHERE starts_with(datname, $1) AND pg_try_advisory_lock(hashtextextended(datname, 0))`,
      [NAME_PREFIX],
    );
    for (const { datname } of abandoned.rows) {
      await session.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
    }
    return abandoned.rows.length;
  } finally {
    await session.end();
  }
}

async function connect(serverUrl: string, socket = new Socket()): Promise<Client> {
  const session = new Client({ connectionString: serverUrl, stream: () => socket });
  // A server that is killed under a test ends this session too; the next query says so.
  session.on('error', () => undefined);
  await session.connect();
  return session;
}
