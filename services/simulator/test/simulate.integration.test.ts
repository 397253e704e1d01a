import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const MAIN = resolve(__dirname, '../../../bin/simulate.ts');
const TSX = resolve(__dirname, '../../../node_modules/.bin/tsx');

/** A folder that counts as a repository of its own, so that reports of this test are its own. */
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'matsuri-simulate-'));
  writeFileSync(join(folder, 'pnpm-workspace.yaml'), '');
  const seconds = Array.from({ length: 900 }, (_, second) => `${String(second / 2)},800,90`);
  writeFileSync(
    join(folder, 'chat.csv'),
    ['t_s,input_tokens,output_tokens', ...seconds].join('\n'),
  );
  const windows = [9, 14, 0, 22].map((rps, index) => `${String(index * 600)},${String(rps)},2,9`);
  writeFileSync(
    join(folder, 'rates.csv'),
    ['t_s,rps,rate_weighted_cv,active_clients', ...windows].join('\n'),
  );
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

function simulate(...args: string[]) {
  return ran(MAIN, args);
}

/** The same command for an environment that has not asked AWS for anything. */
function simulateNewAccount(...args: string[]) {
  const main = join(folder, 'new-account.ts');
  const source = (path: string) => JSON.stringify(resolve(__dirname, '../..', path));
  writeFileSync(
    main,
    `import { configure } from ${source('contract/src/index.ts')};
     import { simulateCommand } from ${source('simulator/src/index.ts')};
     process.exitCode = simulateCommand(process.argv.slice(2), () => configure());`,
  );
  return ran(main, args);
}

function ran(main: string, args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(TSX, [main, ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

function report(as: 'json' | 'html', name = 'suite-part'): string {
  return readFileSync(join(folder, `.reports/simulate-${name}.${as}`), 'utf8');
}

test('plays both shapes of trace against every policy, twice byte for byte the same', () => {
  const args = ['--suite', '--traces', folder, '--trace', 'chat,rates', '--seed', '11'];
  const first = simulate(...args);
  expect(first.stderr).toBe('');
  expect(first.status).toBe(0);
  expect(first.stdout).toContain('have the sizes of chat');
  const kept = report('json');
  const page = report('html');
  for (const policy of ['oracle', 'ours', 'source', 'knative', 'keda', 'static_peak', 'genai']) {
    expect(kept).toContain(`"policy": "${policy}"`);
  }

  const second = simulate(...args);
  expect(report('json')).toBe(kept);
  expect(report('html')).toBe(page);
  const tables = ({ stdout }: typeof first) => stdout.slice(stdout.indexOf('traffic '));
  expect(tables(second)).toBe(tables(first));
});

test('a release night that the calendar knows violates at most one request in a thousand', () => {
  const { stdout } = simulate('--suite', '--trace', 'release_night', '--policy', 'ours');
  expect(stdout).toMatch(/release night the calendar knows, start-up 60 s\s+\S+\s+0\.001\s+yes/);
});

const BLACK_FRIDAY = ['--gate', '--from', '2026-11-26T12:00+09:00', '--days', '6'];

test('the gate lets prod pass with the quotas it names', () => {
  const { status, stdout } = simulate(...BLACK_FRIDAY);
  expect(stdout).toContain('prod keeps its promises for 6 days');
  expect(status).toBe(0);
});

test('with the quotas of a new account the gate says which event breaks what, why, what to change, and fails', () => {
  const { status, stdout } = simulateNewAccount(...BLACK_FRIDAY);
  expect(status).toBe(1);
  expect(stdout).toContain('prod would break what it promises');
  expect(stdout).toMatch(/black_friday, 2026-11-\d\d \d\d:\d\d Asia\/Tokyo: .* of the messages/);
  expect(stdout).toMatch(/why: {4}'simple' is asked for [\d,]+ requests\/min/);
  expect(stdout).toMatch(/change: ask AWS for [\d,]+ requests\/min/);
});

test('a run of an environment tells who is throttled, what it costs, and what ours takes off', () => {
  const trace = ['--trace', 'release_night_new_account', '--policy', 'ours,keda'];
  const { status } = simulate(...trace);
  expect(status).toBe(0);
  const { runs } = JSON.parse(report('json', 'traffic-part')) as { runs: readonly Played[] };
  const refused = (policy: string) => runs.find((it) => it.policy === policy)?.refused_share ?? 0;
  expect(refused('ours')).toBeLessThan(refused('keda') / 2);
  for (const run of runs) {
    expect(run.throttle_minutes).toBeGreaterThan(30);
    expect(run.throttle_minutes_over_oracle).toBeGreaterThanOrEqual(1);
    expect(run.dollars).toBeGreaterThan(1_000);
  }
});

interface Played {
  readonly policy: string;
  readonly refused_share: number;
  readonly throttle_minutes: number;
  readonly throttle_minutes_over_oracle: number;
  readonly dollars: number;
}

test.each([
  ['an environment that is not there', ['--gate', '--env', 'moon'], "no environment 'moon'"],
  ['a folder that is not there', ['--suite', '--traces', '/nowhere'], 'ENOENT'],
  ['traffic that is not there', ['--trace', 'moon'], 'There is no traffic "moon"'],
  ['a policy that is not there', ['--policy', 'best'], 'There is no policy "best"'],
])('%s ends the run with a sentence', (_, args, message) => {
  const { status, stderr } = simulate(...args);
  expect(status).toBe(1);
  expect(stderr).toContain(message);
  expect(stderr.trim().split('\n')).toHaveLength(1);
});
