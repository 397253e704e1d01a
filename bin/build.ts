/** `pnpm build`: what ships, one folder per program under `dist`. */
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { renderTable } from '@matsuri/telemetry';

import { bundle } from './build/bundle';
import { programsOf } from './build/programs';
import { fingerprint, writeContents } from './build/write-contents';

const ROOT = join(import.meta.dirname, '..');

const HELP = `Bundles the programs that ship, each into dist/<program> with its Dockerfile.

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
  const built = await Promise.all(chosen(positionals).map((program) => build(program, values.out)));
  if (!values.quiet) console.log(renderTable(built));
}

type Program = ReturnType<typeof programsOf>[number];

function chosen(names: readonly string[]): readonly Program[] {
  const programs = programsOf(ROOT);
  const unknown = names.filter((name) => !programs.some((program) => program.name === name));
  if (unknown.length > 0) {
    const known = programs.map(({ name }) => name).join(', ');
    throw new Error(`There is no program ${unknown.join(', ')}; there are: ${known}.`);
  }
  return names.length === 0 ? programs : programs.filter(({ name }) => names.includes(name));
}

async function build(program: Program, out: string) {
  const contents = await bundle(ROOT, program);
  writeContents(join(out, program.name), contents);
  const bytes = contents.get('main.cjs')?.byteLength ?? 0;
  return {
    program: program.name,
    bundle: `${(bytes / 1_048_576).toFixed(1)} MiB`,
    fingerprint: fingerprint(contents),
  };
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
