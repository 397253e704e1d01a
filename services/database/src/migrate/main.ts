import { loadEnvironment, migrateEnvironment, migrateSecrets } from '@matsuri/contract';
import { databaseUrl } from '../pool/database-url';
import { migrate, MIGRATIONS_FOLDER } from './migrate';

const environment = migrateEnvironment.extend(migrateSecrets.shape);

async function main(): Promise<void> {
  const env = loadEnvironment(environment, process.env);
  const { PROGRAMS_USER: name, PROGRAMS_PASSWORD: password } = env;
  const { applied, total } = await migrate(
    databaseUrl(env.DATABASE_URL, env.DATABASE_USER, env.DATABASE_PASSWORD),
    MIGRATIONS_FOLDER,
    name !== undefined && password !== undefined ? { name, password } : undefined,
  );
  const state = applied === 0 ? 'nothing to do' : `applied ${applied}`;
  process.stdout.write(`Migrations: ${state}, ${total} in all\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`Migrations failed: ${reasons(error).join(': ')}\n`);
  process.exitCode = 1;
});

function reasons(error: unknown): string[] {
  return error instanceof Error ? [error.message, ...reasons(error.cause)] : [];
}
