import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { builtProgram } from '@matsuri/local';
import { eventually } from './eventually';
import { GatewayLog } from './gateway-log';

const START_TIMEOUT_MS = 60_000;

interface RunnableProgram {
  readonly command: readonly [string, ...string[]];
  readonly workingDirectory: string;
}

export interface ProgramOptions {
  readonly name: string;
  /** Which program, that must have been built; or how another one is run. */
  readonly program: string | RunnableProgram;
  readonly environment: Readonly<Record<string, string>>;
  /** What it logs once it serves. */
  readonly readyMessage: string;
}

/** A program of the platform in a process of its own. */
export interface ProgramProcess {
  readonly pid: number;
  readonly log: GatewayLog;
  /** The log line that said it was ready. */
  readonly ready: unknown;
  readonly running: boolean;
  readonly exitCode: number | null;
  /** Called should it end without having been told to. */
  onDeath(tell: (detail: string) => void): void;
  /** Resolves when it has ended by itself. */
  ended(): Promise<void>;
  /** Resolves when it has ended. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
}

/** Starts a program and waits until it serves. */
export async function startProgramProcess(options: ProgramOptions): Promise<ProgramProcess> {
  const { name, program, environment, readyMessage } = options;
  const log = new GatewayLog(name);
  const { command, workingDirectory } =
    typeof program === 'string' ? builtProgram(program) : program;
  const child = spawn(command[0], command.slice(1), {
    cwd: workingDirectory,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => log.take('stdout', text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => log.take('stderr', text));
  let wanted = false;
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    wanted = true;
    if (isRunning()) await ended(child, signal);
  };
  try {
    const ready = await eventually(
      `${name} serves`,
      () => log.find(readyMessage) ?? (isRunning() ? undefined : endedEarly(log)),
      START_TIMEOUT_MS,
    );
    return {
      pid: child.pid ?? 0,
      log,
      ready,
      get running() {
        return !wanted && isRunning();
      },
      get exitCode() {
        return child.exitCode;
      },
      onDeath(tell) {
        child.once('exit', (code, signal) => {
          if (!wanted) tell(`code ${String(code)}, signal ${String(signal)}`);
        });
      },
      async ended() {
        wanted = true;
        if (isRunning()) await once(child, 'exit');
      },
      end,
    };
  } catch (error) {
    await end('SIGKILL');
    throw error;
  }
}

function endedEarly(log: GatewayLog): never {
  throw new Error(`${log.gateway} ended before it served:\n${log.lines.slice(-20).join('\n')}`);
}

async function ended(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
}
