import { onFreePort } from '../free-port';
import type { Launch } from '../launch';
import { silent } from '../progress';
import type { OnProgress } from '../progress';
import { superviseEngine } from '../supervised-engine';

/** DynamoDB's API in memory: no transactions, no expiry of items. */
export interface RunningDynamodb {
  readonly url: string;
  readonly port: number;
  /** The server's process, while it runs. */
  readonly pid: number | undefined;
  close(): Promise<void>;
}

/** Starts `dynalite` on a free port, empty, ended with this process. */
export async function startDynamodb(onProgress: OnProgress = silent): Promise<RunningDynamodb> {
  const engine = superviseEngine('dynamodb');
  try {
    const port = await onFreePort((candidate) => engine.start(dynaliteLaunch(candidate)));
    const url = `http://127.0.0.1:${port}`;
    onProgress(`DynamoDB: ${url} (dynalite)`);
    return {
      url,
      port,
      get pid() {
        return engine.pid;
      },
      close: () => engine.close(),
    };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

function dynaliteLaunch(port: number): Launch {
  // Tables are ready as soon as they are created; nobody learns from waiting half a second.
  const atOnce = ['--createTableMs', '0', '--deleteTableMs', '0', '--updateTableMs', '0'];
  return {
    command: process.execPath,
    args: [
      require.resolve('dynalite/cli.js'),
      ...['--host', '127.0.0.1', '--port', String(port)],
      ...atOnce,
    ],
    env: { PATH: process.env['PATH'] ?? '' },
    readyText: 'Dynalite listening at',
    stopSignal: 'SIGTERM',
  };
}
