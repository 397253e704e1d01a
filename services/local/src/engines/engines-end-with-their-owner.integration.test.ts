import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { identify, isRunning, pidScope } from './process-identity';
import type { ProcessIdentity } from './process-identity';
import { RUN_FOLDER_PREFIX, readRunRecord } from './run-folder';
import { superviseEngine } from './supervised-engine';
import { sweepLeftovers } from './sweep';
import { forkProgram } from './testing/fork-program';

const DEADLINE_MS = 20_000;
jest.setTimeout(60_000);

/** Run folders of these tests, apart from those of any other run on this machine. */
let root: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'engines-of-killed-'));
  chmodSync(root, 0o711);
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await until(() => runFolders().length === 0, 'cleaned up').catch(() => sweepLeftovers(root));
  rmSync(root, { recursive: true, force: true });
});

async function until(condition: () => boolean, what: string): Promise<void> {
  for (let waitedMs = 0; !condition(); waitedMs += 20) {
    if (waitedMs > DEADLINE_MS) throw new Error(`not ${what} within ${DEADLINE_MS} ms`);
    await delay(20);
  }
}

function identityOf(pid: number | undefined): ProcessIdentity {
  const identity = identify(pid ?? 0);
  if (identity === undefined) throw new Error(`no process ${pid}`);
  return identity;
}

async function ownerOfEngines(): Promise<{ owner: ChildProcess; engines: ProcessIdentity[] }> {
  const owner = forkProgram('own-engines', [], { TMPDIR: root });
  children.push(owner);
  const [message] = (await once(owner, 'message')) as [unknown];
  return { owner, engines: z.array(z.int()).length(3).parse(message).map(identityOf) };
}

const runFolders = (): string[] =>
  readdirSync(root)
    .filter((name) => name.startsWith(RUN_FOLDER_PREFIX))
    .map((name) => join(root, name));
const supervisors = (): ProcessIdentity[] =>
  runFolders().flatMap((path) => readRunRecord(path)?.supervisor ?? []);

test('kill -9 of the owner ends its engines and removes their folders', async () => {
  const { owner, engines } = await ownerOfEngines();
  expect(engines.every(isRunning)).toBe(true);
  expect(runFolders()).toHaveLength(3);

  owner.kill('SIGKILL');
  await until(() => !engines.some(isRunning), 'ended');
  await until(() => runFolders().length === 0, 'removed');
});

test('kill -9 of owner and supervisors leaves engines that the next run ends', async () => {
  const { owner, engines } = await ownerOfEngines();
  const watching = supervisors();
  expect(watching).toHaveLength(3);
  for (const { pid } of watching) process.kill(pid, 'SIGKILL');
  owner.kill('SIGKILL');
  await once(owner, 'exit');
  await until(() => !watching.some(isRunning), 'killed');
  expect(engines.every(isRunning)).toBe(true);

  expect(await sweepLeftovers(root)).toBe(3);
  expect(engines.some(isRunning)).toBe(false);
  expect(runFolders()).toEqual([]);
});

test('a sweep leaves the engines of a living owner alone', async () => {
  const { engines } = await ownerOfEngines();
  expect(await sweepLeftovers(root)).toBe(0);
  expect(engines.every(isRunning)).toBe(true);
});

test('a sweep never signals a process that merely has the recorded pid', async () => {
  const bystander = spawn(process.execPath, ['-e', 'setInterval(() => {}, 60000)']);
  children.push(bystander);
  const { pid } = identityOf(bystander.pid);
  const anotherLife = { pid, startedAt: 'long ago' };
  const folder = join(root, 'matsuri-engine-redis-old');
  mkdirSync(folder);
  const record = {
    scope: pidScope(),
    owner: anotherLife,
    supervisor: anotherLife,
    engine: anotherLife,
  };
  writeFileSync(join(folder, 'run.json'), JSON.stringify(record));

  expect(await sweepLeftovers(root)).toBe(1);
  expect(existsSync(folder)).toBe(false);
  expect(identify(pid)).toBeDefined();
});

test('a sweep does not judge runs of another pid namespace', async () => {
  const folder = join(root, 'matsuri-engine-redis-elsewhere');
  mkdirSync(folder);
  const scope = { ...pidScope(), namespace: 'pid:[1]' };
  const record = { scope, owner: { pid: 1, startedAt: 'long ago' } };
  writeFileSync(join(folder, 'run.json'), JSON.stringify(record));

  expect(await sweepLeftovers(root)).toBe(0);
  rmSync(folder, { recursive: true });
});

test('closing cleans up even when the supervisor was killed', async () => {
  const engine = superviseEngine('sleeper');
  const args = ['-e', 'console.log("awake"); setInterval(() => {}, 60000)'];
  const command = { command: process.execPath, args, env: {} };
  await engine.start({ ...command, readyText: 'awake', stopSignal: 'SIGTERM' });
  const sleeper = identityOf(engine.pid);
  const supervisor = readRunRecord(engine.folder)?.supervisor;
  process.kill(supervisor?.pid ?? 0, 'SIGKILL');
  await until(() => engine.pid === undefined, 'noticed');

  await engine.close();
  expect(isRunning(sleeper)).toBe(false);
  expect(existsSync(engine.folder)).toBe(false);
});
