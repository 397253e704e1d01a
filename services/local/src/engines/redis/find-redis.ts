import type { Machine } from '../machine';
import type { OnProgress } from '../progress';

/** A way to run a Redis server on this machine, or why there is none. */
export type RedisSource =
  | { readonly kind: 'program'; readonly path: string }
  | { readonly kind: 'docker' }
  | { readonly kind: 'unavailable'; readonly reason: string };

const SERVER_PROGRAMS = ['redis-server', 'valkey-server'];

/**
 * On Debian and Ubuntu the server's binary is in `redis-tools`, under the name of a tool: `redis-server` is
 * a link to it, in a package which would also start a daemon. We want the program, not the daemon.
 */
const DEBIAN_PACKAGE = 'redis-tools';
const DEBIAN_BINARY = 'redis-check-rdb';

const APT_TIMEOUT_MS = 300_000;
const PROBE_TIMEOUT_MS = 10_000;

const HOW_TO_HELP =
  'No Redis: install redis-server or valkey-server (Debian: apt-get install redis-server; ' +
  'macOS: brew install redis), start Docker, or set REDIS_URL.';

/** The name under which the found binary acts as the server. */
export const REDIS_ARGV0 = 'redis-server';

/** Looks on the PATH, then installs where that is ours to do, then asks Docker. */
export async function findRedis(machine: Machine, onProgress: OnProgress): Promise<RedisSource> {
  const present = await findProgram(machine);
  if (present !== undefined) return { kind: 'program', path: present };

  const installed = await installWithApt(machine, onProgress);
  if (installed !== undefined) return { kind: 'program', path: installed };

  const docker = await machine.run('docker', ['info', '--format', '{{.ServerVersion}}'], {
    timeoutMs: PROBE_TIMEOUT_MS,
  });
  return docker !== undefined ? { kind: 'docker' } : { kind: 'unavailable', reason: HOW_TO_HELP };
}

async function findProgram(machine: Machine): Promise<string | undefined> {
  const server = SERVER_PROGRAMS.map((name) => machine.find(name)).find(
    (path) => path !== undefined,
  );
  if (server !== undefined) return server;

  const disguised = machine.find(DEBIAN_BINARY);
  if (disguised === undefined) return undefined;
  const version = await machine.run(disguised, ['--version'], {
    argv0: REDIS_ARGV0,
    timeoutMs: PROBE_TIMEOUT_MS,
  });
  return version?.includes('server v=') === true ? disguised : undefined;
}

async function installWithApt(
  machine: Machine,
  onProgress: OnProgress,
): Promise<string | undefined> {
  if (!machine.isRoot || machine.find('apt-get') === undefined) return undefined;

  return machine.exclusively('matsuri-apt', async () => {
    // Whoever held the lock before us has probably installed it.
    const installedMeanwhile = await findProgram(machine);
    if (installedMeanwhile !== undefined) return installedMeanwhile;

    onProgress(`Redis: not found, installing ${DEBIAN_PACKAGE} with apt-get`);
    await apt(machine, ['update']);
    await apt(machine, ['install', '--yes', '--no-install-recommends', DEBIAN_PACKAGE]);
    const installed = await findProgram(machine);
    if (installed === undefined) onProgress('Redis: apt-get could not provide it');
    return installed;
  });
}

function apt(machine: Machine, args: readonly string[]): Promise<string | undefined> {
  return machine.run('apt-get', ['-o', 'DPkg::Lock::Timeout=120', '--quiet', ...args], {
    timeoutMs: APT_TIMEOUT_MS,
    env: { DEBIAN_FRONTEND: 'noninteractive' },
  });
}
