import type { Client } from 'pg';

export interface ProgramsUser {
  readonly name: string;
  readonly password: string;
}

/** Rotation alternates between a user and this copy of it, which has the user's rights by membership. */
const CLONE = /_clone$/;

const RIGHTS = [
  'GRANT USAGE ON SCHEMA public TO %I',
  'GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO %I',
  'GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO %I',
];

/**
 * Lets the user that programs connect as read and write every table, and change none. It is created if it is not
 * there; a password it has already belongs to whoever rotates it.
 */
export async function letProgramsIn(client: Client, user: ProgramsUser): Promise<void> {
  const known = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [user.name]);
  if (known.rowCount === 0) {
    await run(client, 'CREATE ROLE %I LOGIN PASSWORD %L', [user.name, user.password]);
  }
  const original = user.name.replace(CLONE, '');
  for (const right of RIGHTS) await run(client, right, [original]);
}

/** Names and passwords cannot be parameters of such statements: the server quotes them itself. */
async function run(client: Client, template: string, values: readonly string[]): Promise<void> {
  const places = values.map((_, index) => `$${index + 2}::text`).join(', ');
  const { rows } = await client.query<{ statement: string }>(
    `SELECT format($1, ${places}) AS statement`,
    [template, ...values],
  );
  await client.query(rows[0]?.statement ?? '');
}
