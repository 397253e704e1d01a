import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const REPOSITORY = join(__dirname, '../../../..');

/**
 * How Node is started in every image. A task has one core: helpers of the garbage collector would take it from the event
 * loop in long slices, where the collector itself works in short steps.
 */
export const NODE_FLAGS = ['--enable-source-maps', '--single-threaded-gc'] as const;

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
    command: ['node', ...NODE_FLAGS, 'main.cjs'],
    workingDirectory: builtFolder(name),
  } as const;
}
