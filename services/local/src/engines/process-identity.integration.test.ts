import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { identify, isRunning } from './process-identity';

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

async function sleeper(program = process.execPath): Promise<ChildProcess> {
  const child = spawn(program, ['-e', 'console.log("up"); setInterval(() => {}, 60000)']);
  children.push(child);
  await once(child.stdout, 'data');
  return child;
}

test('a process is itself until it ends', async () => {
  const child = await sleeper();
  const identity = identify(child.pid ?? 0);
  expect(identity && isRunning(identity)).toBe(true);

  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(identity && isRunning(identity)).toBe(false);
});

test('the same pid with another start is another process', async () => {
  const { pid = 0 } = await sleeper();
  expect(isRunning({ pid, startedAt: 'another time' })).toBe(false);
});

test('a program may be called anything', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'odd-name-'));
  const oddName = join(folder, 'a) b (c');
  symlinkSync(process.execPath, oddName);
  const [odd, plain] = [await sleeper(oddName), await sleeper()];
  // Linux counts ticks since boot, others tell the time.
  const asNumber = process.platform === 'linux' ? Number : Date.parse;
  const starts = [odd, plain].map(({ pid }) => asNumber(identify(pid ?? 0)?.startedAt ?? ''));
  rmSync(folder, { recursive: true });

  expect(starts[0]).toBeGreaterThan(0);
  expect(starts[0]).toBeLessThanOrEqual(starts[1] ?? 0);
});
