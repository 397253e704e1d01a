import { randomBytes } from 'node:crypto';
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onFreePort } from '../free-port';
import type { Launch } from '../launch';
import { silent } from '../progress';
import type { OnProgress } from '../progress';
import { superviseEngine } from '../supervised-engine';
import { postgresBinaries } from './postgres-binaries';
import { unprivilegedUser } from './unprivileged-user';

const SUPERUSER = 'matsuri';

export interface PostgresOptions {
  /**
   * Flush every commit to the disk. Without it commits survive a crash of the server, which is all that
   * tests can cause, but not a crash of the machine; and they are several times quicker.
   *
   * @default true
   */
  readonly durable?: boolean;
  readonly onProgress?: OnProgress;
}

/** A PostgreSQL server of our own, to use and to hurt. */
export interface RunningPostgres {
  /** Names the maintenance database; see `freshDatabase` for one to work in. */
  readonly url: string;
  readonly port: number;
  /** The server's process, while it runs. */
  readonly pid: number | undefined;
  /** Aborts every connection without a checkpoint, as a crash would; resolves when it has ended. */
  stopImmediately(): Promise<void>;
  /** Stops it if it still runs and starts it on the same port; it recovers what was committed. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a server of our own on a free port, in a new folder, ended with this process. */
export async function startPostgres(options: PostgresOptions = {}): Promise<RunningPostgres> {
  const { durable = true, onProgress = silent } = options;
  const engine = superviseEngine('postgres');
  try {
    const { launchOn, initialise, password } = await prepare(engine.folder, durable);
    await engine.run(initialise);
    const port = await onFreePort((candidate) => engine.start(launchOn(candidate)));
    onProgress(`PostgreSQL: 127.0.0.1:${port}`);
    return {
      url: `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/postgres`,
      port,
      get pid() {
        return engine.pid;
      },
      stopImmediately: () => engine.end('SIGQUIT'),
      async restart() {
        await engine.end('SIGQUIT');
        await engine.start(launchOn(port));
      },
      close: () => engine.close(),
    };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

async function prepare(folder: string, durable: boolean) {
  const user = unprivilegedUser();
  const binaries = await postgresBinaries(folder, user !== undefined);
  const data = join(folder, 'data');
  const passwordFile = join(folder, 'password');
  const password = randomBytes(18).toString('base64url');

  mkdirSync(data, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user) for (const path of [data, passwordFile]) chownSync(path, user.uid, user.gid);

  const common = {
    env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', TZ: 'UTC' },
    stopSignal: 'SIGQUIT',
    ...(user && { user }),
  } as const;
  const initialise: Launch = {
    ...common,
    command: binaries.initdb,
    args: initdbArguments(data, passwordFile),
  };
  const launchOn = (port: number): Launch => ({
    ...common,
    command: binaries.postgres,
    args: ['-D', data, '-p', String(port), ...serverSettings(durable)],
    readyText: 'database system is ready to accept connections',
  });
  return { initialise, launchOn, password };
}

function initdbArguments(data: string, passwordFile: string): string[] {
  return [
    `--pgdata=${data}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // Collation of the server itself, the same whatever locales a machine has.
    ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    '--no-sync',
  ];
}

function serverSettings(durable: boolean): string[] {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    ...(!durable && { fsync: 'off', full_page_writes: 'off' }),
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
