// `npm start` and `npm test` begin here, on whatever Node the machine has and before anything is
// installed: so this file uses nothing but Node itself. It installs, then hands over to Node 24.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MODULES = join(ROOT, 'node_modules');
const INSTALLED_STAMP = join(MODULES, '.installed-from');
const OLDEST_NODE = 20;
const INSTALL = ['-y', 'pnpm@12', 'install', '--frozen-lockfile'];

const COMMANDS = {
  start: ['tsx', 'services/local/src/main.ts'],
  test: ['node', 'bin/verify.mjs', 'test'],
};

const [command, ...rest] = process.argv.slice(2);
if (!Object.hasOwn(COMMANDS, command)) {
  stop(`Usage: node bin/bootstrap.mjs <${Object.keys(COMMANDS).join('|')}> [arguments]`);
}
if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
  stop(`Node ${OLDEST_NODE} or newer is needed to begin with; this is ${process.version}.`);
}
install();
handOver(COMMANDS[command], rest);

/** Installs what the lockfile names, unless that is what is installed already. */
function install() {
  const wanted = fingerprint();
  if (existsSync(INSTALLED_STAMP) && readFileSync(INSTALLED_STAMP, 'utf8') === wanted) {
    console.log('• dependencies: up to date');
    return;
  }
  console.log('• dependencies: installing (once; takes about a minute on a fresh machine) …');
  const startedAt = Date.now();
  const { status, error, stdout, stderr } = spawnSync('npx', INSTALL, {
    cwd: ROOT,
    encoding: 'utf8',
    shell: process.platform === 'win32',
    env: { ...process.env, CI: 'true' },
  });
  if (status !== 0) {
    const lastLines = `${stdout ?? ''}${stderr ?? ''}`.trimEnd().split('\n').slice(-25).join('\n');
    stop(
      `${error ? error.message : lastLines}\n\n` +
        `The install step failed: npx ${INSTALL.join(' ')}\n` +
        'It needs npm and a reachable package registry (see `npm config get registry`). ' +
        'Run that command by hand to see all of its output, then try again.',
    );
  }
  writeFileSync(INSTALLED_STAMP, wanted);
  console.log(`• dependencies: installed in ${Math.round((Date.now() - startedAt) / 1000)} s`);
}

/** Changes whenever an install could have another outcome. */
function fingerprint() {
  const services = readdirSync(join(ROOT, 'services'))
    .map((name) => join('services', name, 'package.json'))
    .filter((file) => existsSync(join(ROOT, file)));
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`);
  for (const file of [
    'package.json',
    'pnpm-workspace.yaml',
    'pnpm-lock.yaml',
    ...services.sort(),
  ]) {
    hash.update(file).update(readFileSync(join(ROOT, file)));
  }
  return hash.digest('hex');
}

/** Runs the real command on the Node of the `node` package, passing signals and the exit code through. */
function handOver([tool, ...toolArguments], extraArguments) {
  const bin = join(MODULES, '.bin');
  const child = spawn(join(bin, tool), [...toolArguments, ...extraArguments], {
    cwd: ROOT,
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` },
  });
  // A terminal's Ctrl-C reaches the child by itself; this one must only live on to report its end.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.on('error', (error) => {
    stop(`${tool} could not be started (${error.message}). Delete node_modules and try again.`);
  });
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0);
  });
}

function stop(message) {
  console.error(message);
  process.exit(1);
}
