import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

/** The orchestrator as a process of its own, which may not serve yet. */
interface LaunchedProcess {
  readonly serverPid: number;
  /** Lines of its log so far, parsed. */
  readonly log: readonly Record<string, unknown>[];
  /** Resolves with the first line, said already or later, that matches. */
  said(matches: (line: Record<string, unknown>) => boolean): Promise<Record<string, unknown>>;
  /** Its exit code, once it has ended. */
  readonly ended: Promise<number | null>;
  /** Asks it to end; resolves with its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface ProgramProcess extends LaunchedProcess {
  readonly url: string;
  readonly healthUrl: string;
}

const MAIN = join(__dirname, '../src/main.ts');
const TSX = pathToFileURL(require.resolve('tsx')).href;

type Environment = Readonly<Record<string, string>>;

export async function startProgramProcess(environment: Environment): Promise<ProgramProcess> {
  const launched = launchProgramProcess(environment);
  const serving = await launched.said((line) => line['msg'] === 'serving');
  return {
    ...launched,
    url: `http://127.0.0.1:${String(serving['port'])}`,
    healthUrl: `http://127.0.0.1:${String(serving['health_port'])}`,
  };
}

export function launchProgramProcess(environment: Environment): LaunchedProcess {
  const child = spawn(process.execPath, ['--import', TSX, MAIN], {
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log: Record<string, unknown>[] = [];
  const waiting = new Set<() => void>();
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  createInterface({ input: child.stdout }).on('line', (line) => {
    log.push(JSON.parse(line) as Record<string, unknown>);
    for (const look of waiting) look();
  });
  const ended = once(child, 'exit').then(([code]) => code as number | null);

  const said = (matches: (line: Record<string, unknown>) => boolean) =>
    new Promise<Record<string, unknown>>((resolve, reject) => {
      const look = (): void => {
        const line = log.find(matches);
        if (!line) return;
        waiting.delete(look);
        resolve(line);
      };
      waiting.add(look);
      look();
      void ended.then((code) => reject(new Error(`it ended with ${code}: ${errors}`)));
    });

  return {
    serverPid: child.pid ?? 0,
    log,
    said,
    ended,
    stop(signal = 'SIGTERM') {
      child.kill(signal);
      return ended;
    },
  };
}
