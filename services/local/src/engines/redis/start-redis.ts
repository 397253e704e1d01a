import { EngineUnavailableError } from '../errors';
import { onFreePort } from '../free-port';
import { thisMachine } from '../machine';
import type { Machine } from '../machine';
import { silent } from '../progress';
import type { OnProgress } from '../progress';
import { superviseEngine } from '../supervised-engine';
import { findRedis } from './find-redis';
import { redisLaunch } from './redis-launch';

/** A Redis server of our own, to use and to hurt. */
export interface RunningRedis {
  readonly url: string;
  readonly port: number;
  /** The server's process, while it runs. */
  readonly pid: number | undefined;
  /** Kills it with -9; resolves when it has ended. */
  kill(): Promise<void>;
  /** Ends it if it still runs and starts it on the same port, empty. */
  restart(): Promise<void>;
  /** Freezes it: connections stay open, nothing is answered. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  close(): Promise<void>;
}

/** A machine without Redis is expected: the platform runs degraded, and says so. */
export type RedisOutcome =
  | { readonly kind: 'running'; readonly redis: RunningRedis }
  | { readonly kind: 'unavailable'; readonly reason: string };

/** Starts a server of our own on a free port: empty, in memory only, ended with this process. */
export async function startRedis(
  onProgress: OnProgress = silent,
  machine: Machine = thisMachine,
): Promise<RedisOutcome> {
  const source = await findRedis(machine, onProgress);
  if (source.kind === 'unavailable') return source;

  const engine = superviseEngine('redis');
  const launchOn = (port: number) => redisLaunch(source, port, engine.folder);
  try {
    const port = await onFreePort((candidate) => engine.start(launchOn(candidate)));
    const url = `redis://127.0.0.1:${port}`;
    onProgress(`Redis: ${url} (${source.kind === 'docker' ? 'Docker' : source.path})`);

    const redis: RunningRedis = {
      url,
      port,
      get pid() {
        return engine.pid;
      },
      kill: () => engine.end('SIGKILL'),
      async restart() {
        await engine.end('SIGKILL');
        await engine.start(launchOn(port));
      },
      pause: () => engine.signal('SIGSTOP'),
      resume: () => engine.signal('SIGCONT'),
      close: () => engine.close(),
    };
    return { kind: 'running', redis };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/** The running server; throws, saying what to install, where there is none. */
export function requireRedis(outcome: RedisOutcome): RunningRedis {
  if (outcome.kind === 'unavailable') throw new EngineUnavailableError(outcome.reason);
  return outcome.redis;
}
