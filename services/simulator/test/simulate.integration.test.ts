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
  const { status, stdout, stderr } = spawnSync(TSX, [MAIN, ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

function report(as: 'json' | 'html'): string {
  return readFileSync(join(folder, `.reports/simulate-suite-part.${as}`), 'utf8');
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
  expect(stdout).toMatch(/release night the calendar knows\s+\S+\s+0\.001\s+yes/);
});

test('the gate says which event breaks what, why, and what to change, and fails', () => {
  const args = ['--gate', '--env', 'prod', '--from', '2026-11-26T12:00+09:00', '--days', '6'];
  const { status, stdout } = simulate(...args);
  expect(status).toBe(1);
  expect(stdout).toContain('prod would break what it promises');
  expect(stdout).toMatch(/black_friday, 2026-11-\d\d \d\d:\d\d Asia\/Tokyo: .* of the messages/);
  expect(stdout).toMatch(/why: {4}'simple' is asked for [\d,]+ requests\/min/);
  expect(stdout).toMatch(/change: ask AWS for [\d,]+ requests\/min/);
});

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
