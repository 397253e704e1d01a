import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { withMachineLock } from './machine-lock';

/** What finding an engine needs to know of, and do to, the machine. */
export interface Machine {
  readonly isRoot: boolean;
  /** The path of a program, `undefined` when it is not on the PATH. */
  find(program: string): string | undefined;
  /** What a command printed; `undefined` when it failed, is missing, or took too long. */
  run(command: string, args: readonly string[], options: RunOptions): Promise<string | undefined>;
  /** Does the work while no other process of the machine does work of this name. */
  exclusively<T>(name: string, work: () => Promise<T>): Promise<T>;
}

interface RunOptions {
  readonly timeoutMs: number;
  readonly argv0?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The machine we are on. */
export const thisMachine: Machine = {
  isRoot: process.getuid?.() === 0,
  find(program) {
    const folders = (process.env['PATH'] ?? '').split(delimiter);
    return folders.map((folder) => join(folder, program)).find(isExecutable);
  },
  run: (command, args, { timeoutMs, argv0, env }) =>
    new Promise((resolve) => {
      // Not execFile: it drops argv0.
      const child = spawn(command, args, {
        argv0,
        env: { ...process.env, ...env },
        stdio: ['ignore', 'pipe', 'ignore'],
        signal: AbortSignal.timeout(timeoutMs),
      });
      let output = '';
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
      child.once('error', () => resolve(undefined));
      child.once('close', (code) => resolve(code === 0 ? output : undefined));
    }),
  exclusively: withMachineLock,
};

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
