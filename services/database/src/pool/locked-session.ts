import { Client } from 'pg';
import { translateFailure } from './failure-kind';
import { verifiedConnection } from './verified-connection';

export interface LockedSessionOptions {
  readonly applicationName: string;
  /** Any number, as long as every version of the program uses the same. */
  readonly lockKey: number;
}

/** Runs `work` while this session holds the lock; another one with the same key waits for its turn. */
export async function inLockedSession<T>(
  databaseUrl: string,
  { applicationName, lockKey }: LockedSessionOptions,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({
    ...verifiedConnection(databaseUrl),
    application_name: applicationName,
    connectionTimeoutMillis: 10_000,
  });
  client.on('error', () => undefined);
  try {
    await takeLock(client, lockKey);
    return await work(client);
  } finally {
    // Ends the session, and with it the lock.
    await client.end();
  }
}

async function takeLock(client: Client, lockKey: number): Promise<void> {
  try {
    await client.connect();
    await client.query('SELECT pg_advisory_lock($1)', [lockKey]);
  } catch (error) {
    throw translateFailure(error);
  }
}
