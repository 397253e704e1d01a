import type { Machine } from '../machine';
import { findRedis } from './find-redis';

interface Scene {
  readonly isRoot?: boolean;
  readonly programs?: readonly string[];
  /** What apt-get puts on the machine. */
  readonly aptBrings?: readonly string[];
  readonly dockerAnswers?: boolean;
}

function machineWith({ isRoot = false, programs = [], aptBrings, dockerAnswers }: Scene) {
  const present = new Set(programs);
  const commands: string[] = [];
  const machine: Machine = {
    isRoot,
    find: (program) => (present.has(program) ? `/usr/bin/${program}` : undefined),
    run: (command, args, { argv0 }) => {
      commands.push([command, ...args].join(' '));
      if (command === 'apt-get' && args.includes('install'))
        aptBrings?.forEach((p) => present.add(p));
      if (command === 'docker') return Promise.resolve(dockerAnswers === true ? '27.1' : undefined);
      const actsAsServer = argv0 === 'redis-server' ? 'Redis server v=7.0.15' : 'usage';
      return Promise.resolve(command.endsWith('redis-check-rdb') ? actsAsServer : '');
    },
    exclusively: (_, work) => work(),
  };
  return { machine, commands };
}

const silent = (): void => undefined;
const program = (name: string) => ({ kind: 'program', path: `/usr/bin/${name}` });
const debianRoot = { isRoot: true, programs: ['apt-get'] };

test.each<[string, Scene, object]>([
  ['prefers the server on the PATH', { programs: ['redis-server'] }, program('redis-server')],
  ['takes Valkey as well', { programs: ['valkey-server'] }, program('valkey-server')],
  [
    'knows the server inside of redis-tools',
    { programs: ['redis-check-rdb'] },
    program('redis-check-rdb'),
  ],
  [
    'installs it as root on Debian',
    { ...debianRoot, aptBrings: ['redis-check-rdb'] },
    program('redis-check-rdb'),
  ],
  [
    'asks Docker when apt-get cannot help',
    { ...debianRoot, dockerAnswers: true },
    { kind: 'docker' },
  ],
  [
    'asks Docker when we may not install',
    { programs: ['apt-get'], dockerAnswers: true },
    { kind: 'docker' },
  ],
])('%s', async (_, scene, expected) => {
  expect(await findRedis(machineWith(scene).machine, silent)).toEqual(expected);
});

test('says what to install when nothing helps', async () => {
  const source = await findRedis(machineWith({}).machine, silent);
  expect(source).toEqual({
    kind: 'unavailable',
    reason: expect.stringContaining('install redis-server') as string,
  });
});

test('runs apt-get only as root', async () => {
  const { machine, commands } = machineWith({ programs: ['apt-get'] });
  await findRedis(machine, silent);
  expect(commands.filter((command) => command.startsWith('apt-get'))).toEqual([]);
});

test('does not install what another process installed while we waited for our turn', async () => {
  const { machine, commands } = machineWith(debianRoot);
  let arrived = false;
  const slow: Machine = {
    ...machine,
    find: (name) =>
      arrived && name === 'redis-server' ? '/usr/bin/redis-server' : machine.find(name),
    exclusively: (_, work) => {
      arrived = true;
      return work();
    },
  };
  expect(await findRedis(slow, silent)).toEqual(program('redis-server'));
  expect(commands).toEqual([]);
});

test('tells in one line that it installs', async () => {
  const lines: string[] = [];
  const { machine } = machineWith({ ...debianRoot, aptBrings: ['redis-check-rdb'] });
  await findRedis(machine, (line) => lines.push(line));
  expect(lines).toEqual(['Redis: not found, installing redis-tools with apt-get']);
});
