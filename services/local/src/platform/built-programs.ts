import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const REPOSITORY = join(__dirname, '../../../..');

/** The web page, built beside the programs. */
export const CONSOLE = 'console';

/** Bundles what ships, as a deploy would; a second or two, and nothing is rewritten that did not change. */
export async function buildPrograms(...names: readonly string[]): Promise<void> {
  const build = spawn('tsx', ['bin/build.ts', '--quiet', ...names], {
    cwd: REPOSITORY,
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  let complaint = '';
  build.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  const [code] = (await once(build, 'close')) as [number | null];
  if (code !== 0) throw new Error(`The programs could not be built: ${complaint.trim()}`);
}

export function builtFolder(name: string): string {
  return join(REPOSITORY, 'dist', name);
}

/** How a built program is run: in its own folder, by plain Node, as its image does. */
export function builtProgram(name: string) {
  return {
    command: ['node', '--enable-source-maps', 'main.cjs'],
    workingDirectory: builtFolder(name),
  } as const;
}
