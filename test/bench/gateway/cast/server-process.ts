import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { SERVER_CORE } from './cores';

const START_LIMIT_MS = 30_000;
const STOP_LIMIT_MS = 15_000;
const LOOK_AGAIN_MS = 25;
const LOG_TAIL_CHARACTERS = 2_000;

/** The kernel ends a server when this process is gone, however it went. */
const ENDS_WITH_US = ['--pdeathsig', 'KILL'];

/** A program that serves HTTP on loopback while it runs. */
export interface ServerProcess {
  readonly pid: number;
  readonly origin: string;
  /** What it wrote so far. */
  output(): string;
  signal(name: NodeJS.Signals): void;
  /** Asks it to end, and insists after a while. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  readonly name: string;
  /** Where its output goes. */
  readonly folder: string;
  /** Arguments of Node: its flags, the program, the program's arguments. */
  readonly nodeArgs: (port: number) => readonly string[];
  readonly env?: (port: number) => Readonly<Record<string, string>>;
  /** Whether it gets the core that is measured. */
  readonly measured: boolean;
}

/** Starts a server with the Node that runs us, on a free port; resolves once it accepts connections. */
export async function startServer(options: ServerOptions): Promise<ServerProcess> {
  const { name, folder, measured } = options;
  const port = await freePort();
  const logFile = join(folder, `${name}.log`);
  const log = openSync(logFile, 'w');
  const pinned = measured ? ['taskset', '--cpu-list', SERVER_CORE] : [];
  const args = [...ENDS_WITH_US, ...pinned, process.execPath, ...options.nodeArgs(port)];
  const child = spawn('setpriv', args, {
    // Nothing of our own environment: what a server is told is what is written here.
    env: { PATH: process.env['PATH'] ?? '', NODE_ENV: 'production', ...options.env?.(port) },
    stdio: ['ignore', log, log],
  });
  const ended = once(child, 'exit');
  try {
    await acceptsConnections(port, child);
  } catch (cause) {
    child.kill('SIGKILL');
    const tail = readFileSync(logFile, 'utf8').slice(-LOG_TAIL_CHARACTERS);
    throw new Error(`${name} did not start:\n${tail}`, { cause });
  }
  return {
    pid: child.pid ?? 0,
    origin: `http://127.0.0.1:${port}`,
    output: () => readFileSync(logFile, 'utf8'),
    signal: (signal) => void child.kill(signal),
    async stop() {
      child.kill('SIGTERM');
      const patience = new AbortController();
      const insist = setTimeout(STOP_LIMIT_MS, undefined, patience).then(
        () => child.kill('SIGKILL'),
        () => undefined,
      );
      await ended;
      patience.abort();
      await insist;
    },
  };
}

async function acceptsConnections(port: number, child: ChildProcess): Promise<void> {
  for (const deadline = Date.now() + START_LIMIT_MS; Date.now() < deadline;) {
    if (child.exitCode !== null) throw new Error(`it ended with code ${child.exitCode}`);
    if (await accepts(port)) return;
    await setTimeout(LOOK_AGAIN_MS);
  }
  throw new Error(`it did not listen within ${START_LIMIT_MS} ms`);
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('not a TCP address');
  return address.port;
}
