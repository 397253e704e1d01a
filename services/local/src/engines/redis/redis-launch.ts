import { basename } from 'node:path';
import type { Launch } from '../launch';
import { REDIS_ARGV0 } from './find-redis';
import type { RedisSource } from './find-redis';

const DOCKER_IMAGE = 'redis:7-alpine';

/** Nothing is kept, nothing is evicted: what the tests wrote is there until they, or the end, remove it. */
const SETTINGS = [
  ...['--save', ''],
  ...['--appendonly', 'no'],
  ...['--maxmemory-policy', 'noeviction'],
  ...['--daemonize', 'no'],
];

const COMMON = { readyText: 'Ready to accept connections', stopSignal: 'SIGTERM' } as const;

/** The command line of a server on this loopback port. */
export function redisLaunch(
  source: Exclude<RedisSource, { kind: 'unavailable' }>,
  port: number,
  folder: string,
): Launch {
  const env = { PATH: process.env['PATH'] ?? '' };
  switch (source.kind) {
    case 'program': {
      const args = ['--bind', '127.0.0.1', '--port', String(port), ...SETTINGS];
      return { ...COMMON, command: source.path, argv0: REDIS_ARGV0, args, env };
    }
    case 'docker': {
      const container = basename(folder);
      const publish = `127.0.0.1:${port}:6379`;
      const run = ['run', '--rm', '--name', container, '--publish', publish, DOCKER_IMAGE];
      const args = [...run, 'redis-server', '--protected-mode', 'no', ...SETTINGS];
      return {
        ...COMMON,
        command: 'docker',
        args,
        env: { ...env, ...dockerSettings() },
        container,
      };
    }
  }
}

function dockerSettings(): Record<string, string> {
  const ours = Object.entries(process.env).filter(([name]) => /^(DOCKER_|HOME$)/.test(name));
  return Object.fromEntries(ours.flatMap(([name, value]) => (value ? [[name, value]] : [])));
}
