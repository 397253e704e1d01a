import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import type { Client } from 'pg';
import { translateFailure } from '../pool/failure-kind';
import { inLockedSession } from '../pool/locked-session';
import { letProgramsIn, type ProgramsUser } from './programs-user';

const BESIDE_THE_BUNDLE = join(__dirname, 'migrations');

/** Where the SQL lies: beside a bundle its own copy, else in this package. */
export const MIGRATIONS_FOLDER = existsSync(BESIDE_THE_BUNDLE)
  ? BESIDE_THE_BUNDLE
  : join(__dirname, '../../migrations');

const LOCK_KEY = 7_233_118_501;

// A statement that waits for a table's lock makes everyone else wait behind it: better to fail and be run again.
const LOCK_TIMEOUT_MS = 5_000;

export interface MigrationResult {
  readonly applied: number;
  readonly total: number;
}

/** Brings the tables up to date. Safe to run twice, by several at once, and beside the version before. */
export async function migrate(
  databaseUrl: string,
  migrationsFolder = MIGRATIONS_FOLDER,
  programs?: ProgramsUser,
): Promise<MigrationResult> {
  const session = { applicationName: 'matsuri-migrate', lockKey: LOCK_KEY };
  return inLockedSession(databaseUrl, session, async (client) => {
    try {
      await client.query(`SET lock_timeout = ${LOCK_TIMEOUT_MS}`);
      const before = await countApplied(client);
      await applyMigrations(drizzle(client), { migrationsFolder });
      if (programs !== undefined) await letProgramsIn(client, programs);
      const after = await countApplied(client);
      return { applied: after - before, total: readMigrationFiles({ migrationsFolder }).length };
    } catch (error) {
      throw translateFailure(error);
    }
  });
}

async function countApplied(client: Client): Promise<number> {
  const { rows } = await client.query<{ there: boolean }>(
    `SELECT to_regclass('drizzle.__drizzle_migrations') IS NOT NULL AS there`,
  );
  if (rows[0]?.there !== true) return 0;
  const counted = await client.query<{ applied: number }>(
    'SELECT count(*)::int AS applied FROM drizzle.__drizzle_migrations',
  );
  return counted.rows[0]?.applied ?? 0;
}
