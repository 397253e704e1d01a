import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';

/** Runs one of the programs beside this file in a process of its own, so that a test can kill it. */
export function forkProgram(
  name: 'hold-lock' | 'own-engines',
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): ChildProcess {
  return fork(join(__dirname, name, 'main.ts'), args, {
    env: { ...process.env, ...env },
    execArgv: ['--require', require.resolve('tsx/cjs')],
  });
}
