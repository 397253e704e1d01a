// The gate: `check` is everything that needs no program to run, `test` is that and every test.
import { spawn, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** Checks in their order; the commands of one run side by side. */
const CHECKS = [
  ['types', [['tsc', '-b']]],
  ['lint', lintedParts().map(lint)],
  [
    'format',
    [
      [
        ...['prettier', '--check', '--log-level', 'warn', '.'],
        ...['--cache', '--cache-location', '.tsbuild/prettiercache'],
      ],
    ],
  ],
  ['unused code', [['knip', '--no-config-hints']]],
];

const [what, ...jestArguments] = process.argv.slice(2);
if (what !== 'check' && what !== 'test') {
  console.error('Usage: node bin/verify.mjs <check|test> [jest arguments]');
  process.exit(1);
}

const outcomes = [];
for (const step of CHECKS) outcomes.push(await runQuietly(step));
let failed = outcomes.includes(false);

// A red check does not hide a red test: both are wanted in one go.
if (what === 'test') failed = !runTests() || failed;
process.exitCode = failed ? 1 : 0;

/**
 * What is linted by a process of its own. Rules that know types keep every program they have seen in memory: all of them
 * in one process outgrow its heap.
 */
function lintedParts() {
  const services = readdirSync('services', { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `services/${name}`);
  return [...services, 'lib', 'bin', 'test', '*.mjs'];
}

function lint(part) {
  const cache = `.tsbuild/eslintcache-${part.replaceAll(/\W/g, '-')}`;
  return [
    ...['eslint', part, '--max-warnings', '0', '--no-error-on-unmatched-pattern'],
    ...['--cache', '--cache-location', cache],
  ];
}

/** One line when it passes, all of its output when it does not. */
async function runQuietly([title, commands]) {
  const startedAt = Date.now();
  const waiting = [...commands];
  const complaints = [];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) complaints.push(await run(next));
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  const failures = complaints.filter((complaint) => complaint !== undefined);
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  const passed = failures.length === 0;
  console.log(`• ${title}: ${passed ? 'ok' : 'FAILED'} (${seconds} s)`);
  for (const failure of failures) process.stdout.write(failure);
  return passed;
}

/** Nothing when all is well, else what the command said. */
function run([tool, ...toolArguments]) {
  return new Promise((resolve) => {
    const child = spawn(tool, toolArguments, { stdio: ['ignore', 'pipe', 'pipe'] });
    const output = [];
    child.stdout.on('data', (chunk) => output.push(chunk));
    child.stderr.on('data', (chunk) => output.push(chunk));
    child.on('error', (error) => output.push(Buffer.from(`${error.message}\n`)));
    child.on('close', (code) => resolve(code === 0 ? undefined : Buffer.concat(output)));
  });
}

/** What starts engines and programs, and holds them to times, has the machine to itself; the rest shares it. */
function runTests() {
  console.log('• tests: running …');
  if (jestArguments.length > 0) return jest(jestArguments);
  const alone = ['integration', 'e2e'];
  return [
    jest(['--ignoreProjects', ...alone, '--maxWorkers', '100%']),
    jest(['--selectProjects', ...alone, '--runInBand']),
  ].every((passed) => passed);
}

function jest(options) {
  return spawnSync('jest', options, { stdio: 'inherit' }).status === 0;
}
