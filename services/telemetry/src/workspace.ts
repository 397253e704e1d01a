import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

const MARKER = 'pnpm-workspace.yaml';

/** The folder of the whole repository, seen from anywhere inside it. */
export function workspaceRoot(from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, MARKER))) return folder;
    if (folder === dirname(folder)) {
      throw new Error(`no ${MARKER} above ${from}: run this inside the repository`);
    }
  }
}

/** The commit that runs, `-dirty` when the files differ from it, `unknown` outside of git. */
export function commitOf(folder: string): string {
  try {
    const commit = git(folder, 'rev-parse', 'HEAD');
    return git(folder, 'status', '--porcelain') === '' ? commit : `${commit}-dirty`;
  } catch {
    return 'unknown';
  }
}

function git(folder: string, ...args: string[]): string {
  return execFileSync('git', args, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 64 * 1024 * 1024,
  }).trim();
}
