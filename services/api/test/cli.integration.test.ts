import { setDatabaseStage, type DatabaseStage } from './database-stage';
import { eventually } from './eventually';
import { ADMIN_TOKEN, runCommand, startProgram, type RunningProgram } from './program';

jest.setTimeout(120_000);

let database: DatabaseStage;
let program: RunningProgram;

beforeAll(async () => {
  database = await setDatabaseStage();
  program = await startProgram({ databaseUrl: database.url });
});
afterAll(async () => {
  program.signal('SIGTERM');
  await program.ended;
  await database.close();
});

const settings = (): Record<string, string> => ({
  MATSURI_API_URL: program.url,
  MATSURI_ADMIN_TOKEN: ADMIN_TOKEN,
});

const token = (...words: string[]) => runCommand(words, settings());

async function asJson(...words: string[]): Promise<Record<string, string>> {
  const { stdout, stderr } = await token(...words, '--json');
  expect(stderr).toBe('');
  return JSON.parse(stdout) as Record<string, string>;
}

const NEW = ['create', '--tenant', 'acme', '--user', 'alice', '--name', 'storefront'];

test('a token made on the command line opens the gateway until it is revoked there', async () => {
  const created = await token(
    ...NEW,
    '--models',
    'simple,complex',
    '--day-cap',
    '5',
    '--expires',
    '90d',
  );
  expect(created).toMatchObject({
    exitCode: 0,
    stderr: 'The token is shown this once: store it now.\n',
  });
  const plaintext = /mts_\S{48}/.exec(created.stdout)?.[0] ?? '';
  const id = /[0-9a-f-]{36}/.exec(created.stdout)?.[0] ?? '';
  expect(await database.directory.authenticate(plaintext)).toMatchObject({
    ok: true,
    token: { id, allowedModels: ['simple', 'complex'], dayCapMicroUsd: 5_000_000 },
  });

  expect((await token('revoke', id, '--tenant', 'acme')).stdout).toContain(`Revoked ${id}`);
  await eventually(async () => !(await database.directory.authenticate(plaintext)).ok, 1_000);
});

test('a key makes one token, however often the command is run', async () => {
  const first = await asJson(...NEW, '--idempotency-key', 'setup-1');
  const again = await token(...NEW, '--idempotency-key', 'setup-1');
  expect(again.exitCode).toBe(0);
  expect(again.stdout).toContain(`Created before: ${String(first['id'])}`);
  expect(again.stdout).not.toContain('mts_');
  expect(again.stderr).toContain('rotate it');
  const other = await token(...NEW, '--rpm', '5', '--idempotency-key', 'setup-1');
  expect(other).toMatchObject({ exitCode: 1 });
  expect(other.stderr).toContain('asked for with another body. Use a new key.');
});

test('a rotated token and its successor both work during the overlap', async () => {
  const old = await asJson(...NEW);
  const successor = await asJson(
    'rotate',
    String(old['id']),
    '--tenant',
    'acme',
    '--overlap',
    '1h',
  );
  expect(successor['predecessor_id']).toBe(old['id']);
  for (const issued of [old, successor]) {
    expect((await database.directory.authenticate(String(issued['token']))).ok).toBe(true);
  }
  const shown = await token('show', String(old['id']), '--tenant', 'acme');
  expect(shown.stdout).toMatch(/status +rotating/);
});

test('tokens, spending and usage are shown as tables', async () => {
  const { id = '' } = await asJson(...NEW, '--month-cap', '10');
  await database.recordCall({
    tenantId: 'acme',
    userId: 'alice',
    tokenId: id,
    costMicroUsd: 2_500_000,
  });
  const list = await token('list', '--tenant', 'acme', '--user', 'alice');
  expect(list.stdout).toContain('storefront');
  expect(list.stdout).toContain(id);

  const spend = await token('spend', id, '--tenant', 'acme');
  expect(spend.stdout).toMatch(/month +2\.50 +0\.00 +10\.00 +7\.50/);

  const usage = await token('usage', '--by', 'user', '--tenant', 'acme', '--days', '7');
  expect(usage.stdout).toMatch(/alice +1 +0 +100 +20 +0 +0 +2\.50/);
});

test.each([
  [
    1,
    'a token of nobody',
    ['show', '7e3a1f0e-3b8a-4c4e-9d0a-0d1e2f3a4b5c', '--tenant', 'acme'],
    'Refused (404)',
  ],
  [
    1,
    'an unknown model',
    [...NEW, '--models', 'simpel'],
    'body.allowed_models: "simpel" is no alias',
  ],
  [1, 'a period too long', ['usage', '--days', '91'], 'at most 90 days'],
  [1, 'a wrong secret', ['list', '--tenant', 'acme', '--admin-token', 'wrong'], 'Refused (401)'],
  [2, 'a missing option', ['list'], "required option '--tenant <id>'"],
  [2, 'an unknown command', ['destroy'], "unknown command 'destroy'"],
  [2, 'a moment that is none', [...NEW, '--expires', 'soon'], '--expires: must be a date'],
  [2, 'a count that is none', ['list', '--tenant', 'acme', '--limit', 'x'], '--limit'],
  [
    3,
    'a server that is not there',
    ['list', '--tenant', 'acme', '--url', 'http://127.0.0.1:1'],
    'Cannot reach',
  ],
])('ends with %d on %s, saying so', async (exitCode, _, words, message) => {
  const result = await token(...words);
  expect(result.exitCode).toBe(exitCode);
  expect(result.stderr).toContain(message);
  expect(result.stdout).toBe('');
});

test('without a secret it says what to set', async () => {
  const result = await runCommand(['list', '--tenant', 'acme'], { MATSURI_API_URL: program.url });
  expect(result).toMatchObject({
    exitCode: 2,
    stderr: 'Set MATSURI_ADMIN_TOKEN, or pass --admin-token.\n',
  });
});

test('help names every command, its settings and exit codes', async () => {
  const { exitCode, stdout } = await runCommand(['--help'], {});
  expect(exitCode).toBe(0);
  for (const word of [
    'create',
    'list',
    'revoke',
    'rotate',
    'usage',
    'MATSURI_API_URL',
    'Exit codes',
  ]) {
    expect(stdout).toContain(word);
  }
});
