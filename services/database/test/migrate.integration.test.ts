import { postgres } from '@matsuri/local';
import type { FreshDatabase } from '@matsuri/local';
import { is } from 'drizzle-orm';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import { createPool, migrate } from '../src';
import * as schema from '../src/schema';

let database: FreshDatabase;
beforeEach(async () => {
  database = await postgres();
});
afterEach(() => database.close());

test('the second run finds nothing to do', async () => {
  const first = await migrate(database.url);
  expect(first.applied).toBe(first.total);
  expect(await migrate(database.url)).toEqual({ applied: 0, total: first.total });
});

test('of many runs at once each migration is applied by one', async () => {
  const results = await Promise.all(Array.from({ length: 8 }, () => migrate(database.url)));
  const applied = results.map((result) => result.applied).reduce((a, b) => a + b);
  expect(applied).toBe(results[0]?.total);
});

test('the tables are those the program knows, column for column', async () => {
  await migrate(database.url);
  const pool = createPool({ url: database.url, applicationName: 'test', maxConnections: 1 });
  const rows = await pool.query<{ name: string; columns: string[] }>({
    text: `SELECT table_name AS name, array_agg(column_name::text ORDER BY column_name) AS columns
             FROM information_schema.columns WHERE table_schema = 'public' GROUP BY table_name`,
  });
  const tables = Object.values(schema).flatMap((part) => (is(part, PgTable) ? [part] : []));
  const known = tables.map((table) => {
    const { name, columns } = getTableConfig(table);
    return { name, columns: columns.map((column) => column.name).toSorted() };
  });
  expect(rows.toSorted((a, b) => a.name.localeCompare(b.name))).toEqual(
    known.toSorted((a, b) => a.name.localeCompare(b.name)),
  );
  await pool.close();
});

test('the user of the programs is let in, to read and write but not to change tables', async () => {
  const user = { name: `programs_${process.pid}`, password: "it's a password" };
  await migrate(database.url, undefined, user);
  await migrate(database.url, undefined, { ...user, password: 'ignored: rotation owns it' });
  const address = new URL(database.url);
  address.username = user.name;
  address.password = encodeURIComponent(user.password);
  const pool = createPool({ url: address.href, applicationName: 'test', maxConnections: 1 });
  try {
    const [row] = await pool.query<{ writes: boolean; changes: boolean }>({
      text: `SELECT has_table_privilege('api_tokens', 'INSERT, UPDATE, DELETE') AS writes,
                    has_schema_privilege('public', 'CREATE') AS changes`,
    });
    expect(row).toEqual({ writes: true, changes: false });
  } finally {
    await pool.close();
  }
});
