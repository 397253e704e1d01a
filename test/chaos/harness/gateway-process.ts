import { readdirSync, readFileSync } from 'node:fs';
import { SERVICES } from '@matsuri/contract';
import type { GatewayLog } from './gateway-log';
import type { History, ProcessEvent } from './history';
import { numberAt } from './json';
import { startProgramProcess } from './program-process';

export interface GatewayProcessOptions {
  /** Its place and how often it was filled: `g1#2`. */
  readonly name: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly history: History;
}

/** One gateway as a process of its own. */
export interface GatewayProcess {
  readonly name: string;
  readonly url: string;
  readonly healthUrl: string;
  readonly log: GatewayLog;
  /** Up, and not told to end. */
  readonly serving: boolean;
  /** With -9; resolves when it is gone. */
  kill(): Promise<void>;
  /** Asks it to end; resolves with its exit code. */
  drain(): Promise<number | null>;
  /** Open file descriptors. */
  fds(): number;
  residentBytes(): number;
}

/** Starts a gateway and waits until it listens. */
export async function startGatewayProcess(options: GatewayProcessOptions): Promise<GatewayProcess> {
  const { name, environment, history } = options;
  const program = await startProgramProcess({
    name,
    program: SERVICES.orchestrator,
    environment,
    readyMessage: 'serving',
  });
  const tell = (event: ProcessEvent['event'], detail?: string): void => {
    history.append({ op: 'process', type: 'info', actor: 'harness', id: name, event, detail });
  };
  tell('started');
  program.onDeath((detail) => tell('died', detail));
  const { pid, ready, log } = program;

  return {
    name,
    url: `http://127.0.0.1:${numberAt(ready, 'port') ?? 0}`,
    healthUrl: `http://127.0.0.1:${numberAt(ready, 'health_port') ?? 0}`,
    log,
    get serving() {
      return program.running;
    },
    async kill() {
      if (!program.running) return;
      tell('killed');
      await program.end('SIGKILL');
    },
    async drain() {
      tell('draining');
      await program.end('SIGTERM');
      tell('drained', `code ${String(program.exitCode)}`);
      return program.exitCode;
    },
    fds: () => readdirSync(`/proc/${pid}/fd`).length,
    residentBytes: () => residentBytes(pid),
  };
}

function residentBytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes ?? 0) * 1_024;
}
