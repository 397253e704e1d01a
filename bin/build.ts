/** `pnpm build`: what ships, one folder per program under `dist`. */
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { renderTable } from '@matsuri/telemetry';

import { bundle } from './build/bundle';
import type { Contents } from './build/bundle';
import { bundleConsole } from './build/console';
import { programsOf } from './build/programs';
import { fingerprint, writeContents } from './build/write-contents';

const ROOT = join(import.meta.dirname, '..');

const HELP = `Bundles what ships: each program into dist/<program> with its Dockerfile, the web page into dist/console.

  pnpm build                   all of them
  pnpm build orchestrator api  these only
  pnpm build --out <folder>    somewhere else than dist
  pnpm build --quiet           says nothing unless something is wrong

Then, for an image:  docker build --build-arg NODE_IMAGE=node:24-slim@sha256:… dist/<program>`;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      out: { type: 'string', default: join(ROOT, 'dist') },
      quiet: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(HELP);
    return;
  }
  const built = await Promise.all(chosen(positionals).map((part) => build(part, values.out)));
  if (!values.quiet) console.log(renderTable(built));
}

interface Part {
  readonly name: string;
  readonly bundle: () => Promise<Contents>;
}

const PAGE: Part = { name: 'console', bundle: () => bundleConsole(ROOT) };

function chosen(names: readonly string[]): readonly Part[] {
  const parts = [
    ...programsOf(ROOT).map((program) => ({
      name: program.name,
      bundle: () => bundle(ROOT, program),
    })),
    PAGE,
  ];
  const unknown = names.filter((name) => !parts.some((part) => part.name === name));
  if (unknown.length > 0) {
    const known = parts.map(({ name }) => name).join(', ');
    throw new Error(`There is no program ${unknown.join(', ')}; there are: ${known}.`);
  }
  return names.length === 0 ? parts : parts.filter(({ name }) => names.includes(name));
}

async function build({ name, bundle }: Part, out: string) {
  const contents = await bundle();
  writeContents(join(out, name), contents);
  const files = [...contents].filter(([path]) => !path.endsWith('.map'));
  const bytes = files.reduce((sum, [, content]) => sum + content.byteLength, 0);
  return {
    program: name,
    size: `${(bytes / 1_048_576).toFixed(1)} MiB`,
    fingerprint: fingerprint(contents),
  };
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
