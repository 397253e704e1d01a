/** What ships: whole, in an image that gives the program no more than it needs. */
import { spawnSync } from 'node:child_process';
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { builtProgram } from '@matsuri/local';

const ROOT = join(__dirname, '../..');
const BUILD = ['bin/build.ts'];

interface Ran {
  readonly status: number | null;
  readonly output: string;
}

function run(tool: string, args: readonly string[], cwd = ROOT): Ran {
  const { status, stdout, stderr } = spawnSync(tool, args, {
    cwd,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] },
  });
  return { status, output: `${stdout}${stderr}` };
}

/** Program → the fingerprint that the command prints for it. */
function fingerprints({ output }: Ran): Record<string, string> {
  const lines = output.matchAll(/^(\S+)\s+[\d.]+ MiB\s+([\da-f]{12})$/gm);
  return Object.fromEntries([...lines].map(([, name = '', print = '']) => [name, print]));
}

let out: string;
let built: Ran;

beforeAll(() => {
  // Outside the repository: nothing above it has a node_modules to lean on.
  out = mkdtempSync(join(tmpdir(), 'matsuri-build-'));
  mkdirSync(join(out, 'api'));
  writeFileSync(join(out, 'api/left-over.js'), '');
  built = run('tsx', [...BUILD, '--out', out]);
}, 60_000);

afterAll(() => rmSync(out, { recursive: true, force: true }));

test('every program is built, with nothing else in its folder', () => {
  expect(built.status).toBe(0);
  expect(Object.keys(fingerprints(built))).toEqual(
    expect.arrayContaining(['orchestrator', 'api', 'migrate', 'load-catalogue', 'console']),
  );
  expect(readdirSync(join(out, 'api')).sort()).toEqual([
    '.dockerignore',
    'Dockerfile',
    'main.cjs',
    'main.cjs.map',
  ]);
  const written = globSync('migrations/*.sql', { cwd: join(ROOT, 'services/database') });
  expect(written.length).toBeGreaterThan(1);
  expect(globSync('migrations/**/*.*', { cwd: join(out, 'migrate') }).sort()).toEqual(
    [...written, 'migrations/meta/_journal.json'].sort(),
  );
  expect(globSync('catalogue/*.json', { cwd: join(out, 'load-catalogue') })).toHaveLength(6);
});

test('the page loads nothing from elsewhere, and names what it loads by content', () => {
  const page = readFileSync(join(out, 'console/index.html'), 'utf8');
  const loaded = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address);
  expect(loaded.length).toBeGreaterThan(2);
  for (const address of loaded)
    expect(address).toMatch(/^\/assets\/[\w-]+-[\w-]{8}\.(?:js|css|svg)$/);
});

test.each(['orchestrator', 'api', 'migrate', 'load-catalogue'])(
  '%s starts with nothing but its own folder, as far as its configuration',
  (program) => {
    const { status, output } = run('node', ['main.cjs'], join(out, program));
    expect(output).not.toMatch(/Cannot find module/);
    expect(output).toMatch(/DATABASE_URL/);
    expect(status).toBe(1);
  },
);

test('source maps name the sources, and do not contain them', () => {
  const map = JSON.parse(readFileSync(join(out, 'api/main.cjs.map'), 'utf8')) as {
    sources: string[];
    sourcesContent?: unknown;
  };
  expect(map.sources).toContain('../../services/api/src/main.ts');
  expect(map.sourcesContent).toBeUndefined();
});

// No image is built by these tests, since not every machine has an engine for it: they hold the recipe.
describe('the image', () => {
  const asTested = builtProgram('api').command;
  const recipe = readFileSync(join(__dirname, 'Dockerfile'), 'utf8')
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .trim()
    .split(/\n+/);
  const last = (instruction: string) =>
    recipe.findLast((line) => line.startsWith(`${instruction} `))?.slice(instruction.length + 1);

  test('stands on the Node that a deploy names by digest', () => {
    expect(recipe.slice(0, 2)).toEqual(['ARG NODE_IMAGE=node:24-slim', 'FROM ${NODE_IMAGE}']);
  });

  test('runs as nobody in particular, from files it cannot change', () => {
    expect(last('USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(last('COPY')).toBe('. .');
    expect(recipe.findLastIndex((line) => /^(?:COPY|RUN)/.test(line))).toBeLessThan(
      recipe.findIndex((line) => line.startsWith('USER')),
    );
  });

  test('has an init before Node, and no shell between them to swallow SIGTERM', () => {
    expect(JSON.parse(last('ENTRYPOINT') ?? '')).toEqual(['/usr/bin/tini', '--', ...asTested]);
    expect(last('CMD')).toBeUndefined();
  });

  test('carries no package manager', () => {
    expect(last('RUN')).toContain('rm -rf');
    expect(last('RUN')).toContain('/usr/local/lib/node_modules');
  });

  test('is the same recipe for every program', () => {
    const recipes = globSync('*/Dockerfile', { cwd: out }).map((file) =>
      readFileSync(join(out, file), 'utf8'),
    );
    expect(new Set(recipes)).toEqual(
      new Set([readFileSync(join(__dirname, 'Dockerfile'), 'utf8')]),
    );
  });
});

test('a program that does not exist is named, with those that do', () => {
  const { status, output } = run('tsx', [...BUILD, 'orkestrator']);
  expect(status).toBe(1);
  expect(output).toMatch(/no program orkestrator; there are: orchestrator, api/);
});

test('--help says what it does', () => {
  expect(run('tsx', [...BUILD, '--help']).output).toContain('dist/<program>');
});
