import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';

export interface TaskProcessOptions {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly workingDirectory?: string;
}

/** How a process ended. */
export interface Exit {
  readonly code: number | undefined;
  readonly signal: NodeJS.Signals | undefined;
}

/** A task's program, which cannot outlive the process that started it. */
export interface TaskProcess {
  readonly pid: number | undefined;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly exited: Promise<Exit>;
  /** Signals the program itself; SIGKILL also ends whatever it started. */
  signal(signal: NodeJS.Signals): void;
}

/**
 * The shell becomes the program (`exec`), so its process id and signals are the program's own. Before
 * that it leaves a watcher in the process group, waiting on descriptor 3: the kernel closes its other
 * end however our process ends, kill -9 included, and the watcher then kills the group.
 */
const UNDER_WATCH = '( cat <&3; kill -s KILL -- -$$ ) >/dev/null 2>&1 </dev/null & exec "$@" 3<&-';

export function startTaskProcess(options: TaskProcessOptions): TaskProcess {
  const child = spawn('/bin/sh', ['-c', UNDER_WATCH, 'task', ...options.command], {
    env: { ...containerEnvironment(), ...options.environment },
    ...(options.workingDirectory === undefined ? {} : { cwd: options.workingDirectory }),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const { stdout, stderr, stdio } = child;
  if (stdout === null || stderr === null) throw new Error('The task has no output to read');

  const exited = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => {
      stdio[3]?.destroy();
      resolve({ code: code ?? undefined, signal: signal ?? undefined });
    });
    child.once('error', () => resolve({ code: 127, signal: undefined }));
  });

  return {
    pid: child.pid,
    stdout,
    stderr,
    exited,
    signal(signal) {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
      if (signal === 'SIGKILL') process.kill(-child.pid, signal);
      else child.kill(signal);
    },
  };
}

/** What a container would have of its own; nothing of ours leaks in. */
function containerEnvironment(): Record<string, string> {
  const kept = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'TZ'];
  return Object.fromEntries(kept.flatMap((name) => pair(name, process.env[name])));
}

function pair(name: string, value: string | undefined): [string, string][] {
  return value === undefined ? [] : [[name, value]];
}
