import { freshDatabase } from './fresh-database';
import type { FreshDatabase } from './fresh-database';
import { startPostgres } from './start-postgres';

/**
 * A database of our own: on the server that DATABASE_URL names, which is what every test suite gets, or on
 * a server started for it alone.
 */
export async function postgres(serverUrl = process.env['DATABASE_URL']): Promise<FreshDatabase> {
  if (serverUrl !== undefined) return freshDatabase(serverUrl);

  const server = await startPostgres({ durable: false });
  const database = await freshDatabase(server.url);
  return { url: database.url, close: () => server.close() };
}
