import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A process of its own that reserved on a token and lives on. */
export interface ReservingProcess {
  readonly granted: readonly string[];
  /** Kills it as a crash would. */
  kill(): Promise<void>;
}

export async function startReservingProcess(
  url: string,
  tokenId: string,
  count: number,
  microUsd: number,
): Promise<ReservingProcess> {
  const child = fork(join(__dirname, 'main.ts'), [url, tokenId, String(count), String(microUsd)], {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(() => undefined);
  const message = await Promise.race([once(child, 'message'), ended]);
  if (message === undefined) throw new Error('The process ended before it had reserved');
  const [granted] = message as [string[]];
  return {
    granted,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
