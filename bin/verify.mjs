// The gate: `check` is everything that needs no program to run, `test` is that and every test.
import { spawn, spawnSync } from 'node:child_process';

const CHECKS = [
  ['types', 'tsc', ['-b']],
  [
    'lint',
    'eslint',
    ['.', '--cache', '--cache-location', '.tsbuild/eslintcache', '--max-warnings', '0'],
  ],
  [
    'format',
    'prettier',
    [
      '--check',
      '--log-level',
      'warn',
      '--cache',
      '--cache-location',
      '.tsbuild/prettiercache',
      '.',
    ],
  ],
  ['unused code', 'knip', []],
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

/** One line when it passes, all of its output when it does not. */
function runQuietly([title, tool, toolArguments]) {
  const startedAt = Date.now();
  return new Promise((resolve) => {
    const child = spawn(tool, toolArguments, { stdio: ['ignore', 'pipe', 'pipe'] });
    const output = [];
    child.stdout.on('data', (chunk) => output.push(chunk));
    child.stderr.on('data', (chunk) => output.push(chunk));
    child.on('error', (error) => output.push(Buffer.from(`${error.message}\n`)));
    child.on('close', (code) => {
      const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
      const passed = code === 0;
      console.log(`• ${title}: ${passed ? 'ok' : 'FAILED'} (${seconds} s)`);
      if (!passed) process.stdout.write(Buffer.concat(output));
      resolve(passed);
    });
  });
}

function runTests() {
  console.log('• tests: running …');
  return spawnSync('jest', jestArguments, { stdio: 'inherit' }).status === 0;
}
