import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

export const ADMIN_TOKEN = 'the-administrator-of-these-programs-has-this-secret';
export const PEPPER = Buffer.alloc(32, 'pepper').toString('base64url');

/** The real program in a process of its own. */
export interface RunningProgram {
  readonly url: string;
  readonly healthUrl: string;
  readonly pid: number;
  /** Everything it wrote. */
  readonly lines: readonly string[];
  signal(name: 'SIGTERM' | 'SIGKILL'): void;
  /** Its exit code, once it has ended. */
  readonly ended: Promise<number | null>;
}

interface Addresses {
  readonly databaseUrl: string;
  readonly readerUrl?: string;
}

export async function startProgram(addresses: Addresses): Promise<RunningProgram> {
  const child = spawnNode(['src/main.ts'], environmentOf(addresses));
  const ended = once(child, 'close').then(() => child.exitCode);
  const lines: string[] = [];
  const ports = Promise.withResolvers<z.output<typeof listeningLine>>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    const listening = listeningLine.safeParse(parsedJson(line));
    if (listening.success) ports.resolve(listening.data);
  });
  createInterface({ input: child.stderr }).on('line', (line) => lines.push(line));
  void ended.then(() => ports.reject(new Error(`The program ended:\n${lines.join('\n')}`)));
  const { port, healthPort } = await ports.promise;
  return {
    url: `http://127.0.0.1:${port}`,
    healthUrl: `http://127.0.0.1:${healthPort}`,
    pid: child.pid ?? 0,
    lines,
    signal: (name) => child.kill(name),
    ended,
  };
}

export interface CommandResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line as a person would. */
export async function runCommand(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<CommandResult> {
  const child = spawnNode(['src/cli/main.ts', ...words], env);
  const closed = once(child, 'close');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await closed;
  return { exitCode: child.exitCode, stdout, stderr };
}

const PACKAGE_FOLDER = join(__dirname, '..');

function spawnNode(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
): ChildProcess & Record<'stdout' | 'stderr', NodeJS.ReadableStream> {
  return spawn(process.execPath, ['--import', 'tsx', ...words], {
    cwd: PACKAGE_FOLDER,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function environmentOf({ databaseUrl, readerUrl }: Addresses): Record<string, string> {
  const { username, password } = new URL(databaseUrl);
  return {
    PORT: '0',
    HEALTH_PORT: '0',
    AWS_REGION: 'ap-northeast-1',
    PLATFORM_OVERRIDES: '{}',
    DATABASE_URL: bare(databaseUrl),
    DATABASE_READER_URL: bare(readerUrl ?? databaseUrl),
    DATABASE_USER: decodeURIComponent(username) || 'nobody',
    DATABASE_PASSWORD: decodeURIComponent(password) || 'none',
    REDIS_URL: '',
    REDIS_PASSWORD: '',
    ALLOWED_ORIGINS: '',
    WORKER_CONTROL_QUEUE_URL: '',
    TOKEN_PEPPERS: `1:${PEPPER}`,
    ADMIN_TOKEN,
  };
}

/** An address as the environment carries it: without credentials. */
function bare(address: string): string {
  const url = new URL(address);
  url.username = '';
  url.password = '';
  return url.href;
}

const listeningLine = z.object({
  msg: z.literal('listening'),
  port: z.int(),
  healthPort: z.int(),
});

function parsedJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
