import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { ReportOptions } from './report';
import { startReport } from './report';
import { commitOf, workspaceRoot } from './workspace';

const IDENTITY = ['user.name=t', 'user.email=t@example.com', 'commit.gpgsign=false'].flatMap(
  (setting) => ['-c', setting],
);

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'report-'));
  writeFileSync(join(root, 'pnpm-workspace.yaml'), '');
});
afterEach(() => rmSync(root, { recursive: true }));

function reported(options: Partial<ReportOptions> & { isTTY?: boolean } = {}) {
  const printed: string[] = [];
  const time = { nowMs: 0 };
  const report = startReport({
    command: 'bench',
    name: 'gateway',
    seed: 42,
    root,
    out: { write: (text) => printed.push(text), isTTY: options.isTTY ?? false },
    clock: () => time.nowMs,
    ...options,
  });
  return { report, printed, time };
}

test('figures are filed under command and name, with what repeats the run', () => {
  const { report, time, printed } = reported();
  time.nowMs = 1_500;
  const path = report.write({ p99_ms: 12.5, per_model: [{ tokens_per_second: 900 }] });
  expect(path).toBe(join(root, '.reports', 'bench-gateway.json'));
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
    command: 'bench',
    name: 'gateway',
    seed: 42,
    commit: 'unknown',
    node: process.version,
    started_at: '1970-01-01T00:00:00.000Z',
    took_s: 1.5,
    p99_ms: 12.5,
    per_model: [{ tokens_per_second: 900 }],
  });
  expect(printed.at(-1)).toBe('figures: .reports/bench-gateway.json\n');
});

test('a second run replaces the file and leaves nothing else behind', () => {
  reported().report.write({ p99_ms: 1 });
  const path = reported().report.write({ p99_ms: 2 });
  expect(readFileSync(path, 'utf8')).toContain('"p99_ms": 2');
  expect(readdirSync(join(root, '.reports'))).toEqual(['bench-gateway.json']);
});

test('figures that would not compare over time are refused, all at once, and not written', () => {
  const { report } = reported();
  const write = (): string =>
    report.write({ p99Ms: 1, nested: [{ 'p50-ms': 2 }], rate_ratio: Number.NaN, seed: 3 });
  expect(write).toThrow(RangeError);
  expect(write).toThrow(/seed: .*\n.*p99Ms: .*\n.*nested\.0\.p50-ms: .*\n.*rate_ratio: NaN/);
  expect(readdirSync(root)).toEqual(['pnpm-workspace.yaml']);
});

test.each(['../evil', 'Gateway', 'a_b', ''])('no report is called %j', (name) => {
  expect(() => reported({ name })).toThrow(RangeError);
});

test('on a terminal the bar is redrawn in place and makes way for a table', () => {
  const { report, printed, time } = reported({ isTTY: true });
  time.nowMs = 100;
  report.progress(1, 4, 'warming');
  report.progress(2, 4, 'too soon to redraw');
  report.table([{ model: 'sonnet', 'p99 ms': 3 }]);
  report.note('done');
  expect(printed.slice(1)).toEqual([
    expect.stringMatching(/^\r\u001b\[2K█+░+ 25 % \(1\/4\) warming, 1 s left$/),
    expect.stringMatching(/^\r\u001b\[2K\nmodel {3}p99 ms\n/),
    'done\n',
  ]);
});

test('elsewhere progress is a line now and then, without terminal commands', () => {
  const { report, printed, time } = reported();
  for (time.nowMs = 0; time.nowMs <= 12_000; time.nowMs += 100) {
    report.progress(time.nowMs / 100, 120, 'calls \u001b[31m');
  }
  expect(printed.slice(1)).toEqual([
    '41 % (50/120) calls \\x1b[31m, 7 s left\n',
    '83 % (100/120) calls \\x1b[31m, 2 s left\n',
    '100 % (120/120) calls \\x1b[31m\n',
  ]);
});

test('the repository is found from any folder inside it, and only there', () => {
  const deep = join(root, 'services', 'x');
  mkdirSync(deep, { recursive: true });
  expect(workspaceRoot(deep)).toBe(root);
  expect(() => workspaceRoot(tmpdir())).toThrow(/pnpm-workspace\.yaml/);
});

test('the commit is named, and marked when the files differ from it', () => {
  const git = (...args: string[]): string =>
    execFileSync('git', [...IDENTITY, ...args], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message', 'first');
  const commit = git('rev-parse', 'HEAD');
  expect(commitOf(root)).toBe(commit);
  writeFileSync(join(root, 'changed'), '');
  expect(commitOf(root)).toBe(`${commit}-dirty`);
});
