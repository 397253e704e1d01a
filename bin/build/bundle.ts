import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { build } from 'esbuild';

import type { Program } from './programs';

/** What goes into a program's folder, by path within it. */
export type Contents = ReadonlyMap<string, Uint8Array>;

// Optional native parts, which their packages do without.
const LEFT_OUT = ['pg-native'];

/**
 * One file with everything it needs, so that an image carries neither sources nor node_modules. Paths in it
 * are those of the repository, wherever that lies and wherever the bundle goes: unchanged sources give the
 * same bytes on every machine, and the image of an unchanged program is not deployed again.
 */
export async function bundle(root: string, { name, entry, beside }: Program): Promise<Contents> {
  const folder = join(root, 'dist', name);
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile: join(folder, 'main.cjs'),
    write: false,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    external: LEFT_OUT,
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'error',
  });
  return new Map([
    ...outputFiles.map(({ path, contents }) => [relative(folder, path), contents] as const),
    ...Object.entries(beside).map(
      ([path, source]) => [path, readFileSync(join(root, source))] as const,
    ),
    ['Dockerfile', readFileSync(join(import.meta.dirname, 'Dockerfile'))],
    ['.dockerignore', Buffer.from('Dockerfile\n.dockerignore\n')],
  ]);
}
