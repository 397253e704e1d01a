import { loadEnvironment, migrateEnvironment, migrateSecrets } from '@matsuri/contract';
import { databaseUrl } from '../pool/database-url';
import { migrate } from './migrate';

const environment = migrateEnvironment.extend(migrateSecrets.shape);

async function main(): Promise<void> {
  const env = loadEnvironment(environment, process.env);
  const { applied, total } = await migrate(
    databaseUrl(env.DATABASE_URL, env.DATABASE_USER, env.DATABASE_PASSWORD),
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
