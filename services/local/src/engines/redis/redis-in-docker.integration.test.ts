import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { Redis } from 'ioredis';
import { thisMachine } from '../machine';
import type { Machine } from '../machine';
import { findRedis } from './find-redis';
import { requireRedis, startRedis } from './start-redis';
import type { RunningRedis } from './start-redis';

/**
 * Docker's command line, as far as we use it, over the machine's own server: a container is a process whose
 * pid is in a file of its name. Client and server are two processes, as they are with Docker.
 */
const dockerScript = (server: string): string => `#!/bin/sh
containers=$(dirname "$0")/containers
command=$1; shift
case $command in
  info) echo 27.1.1 ;;
  run)
    [ "$1 $2 $4" = "--rm --name --publish" ] || exit 125
    name=$3; port=$(echo "$5" | cut -d: -f2); shift 7
    [ -e "$containers/$name" ] && exit 125
    "${server}" --port "$port" "$@" &
    echo $! > "$containers/$name"
    wait $!; code=$?
    rm -f "$containers/$name"; exit $code ;;
  kill) kill -s "\${2#SIG}" "$(cat "$containers/$3")" ;;
  rm) [ ! -e "$containers/$2" ] || kill -9 "$(cat "$containers/$2")" ;;
esac
`;

const home = mkdtempSync(join(tmpdir(), 'docker-on-path-'));
const containers = join(home, 'containers');
const pathBefore = process.env['PATH'] ?? '';
const machineWithOnlyDocker: Machine = { ...thisMachine, isRoot: false, find: () => undefined };

let server: RunningRedis;
let client: Redis;

beforeAll(async () => {
  const source = await findRedis(thisMachine, () => undefined);
  if (source.kind !== 'program') throw new Error('needs a Redis server to play the container');
  mkdirSync(containers);
  // The binary may be one of several tools in one file, told apart by the name it is called by.
  const named = join(home, 'redis-server');
  symlinkSync(source.path, named);
  writeFileSync(join(home, 'docker'), dockerScript(named), { mode: 0o755 });
  process.env['PATH'] = [home, pathBefore].join(delimiter);

  server = requireRedis(await startRedis(() => undefined, machineWithOnlyDocker));
  client = new Redis(server.url, { retryStrategy: () => 10, maxRetriesPerRequest: null });
  client.on('error', () => undefined);
});
afterAll(() => {
  process.env['PATH'] = pathBefore;
  rmSync(home, { recursive: true });
});

test('the container can be killed and comes back empty on the same port', async () => {
  await client.set('before', 'the kill');
  await server.kill();
  expect(readdirSync(containers)).toEqual([]);

  await server.restart();
  expect(await client.get('before')).toBeNull();
});

test('the container can be paused and resumed', async () => {
  await server.pause();
  const answer = client.ping();
  const silence = new Promise((resolve) => setTimeout(resolve, 100, 'silence'));
  expect(await Promise.race([answer, silence])).toBe('silence');

  await server.resume();
  expect(await answer).toBe('PONG');
});

test('no container is left after closing', async () => {
  client.disconnect();
  await server.close();
  expect(readdirSync(containers)).toEqual([]);
});
