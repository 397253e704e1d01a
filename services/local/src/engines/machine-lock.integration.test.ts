import { once } from 'node:events';
import { withMachineLock } from './machine-lock';
import { forkProgram } from './testing/fork-program';

const uniqueName = (): string => `matsuri-lock-test-${process.pid}-${performance.now()}`;
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('work of one name never overlaps', async () => {
  const name = uniqueName();
  let inside = 0;
  let most = 0;
  const visit = async (): Promise<void> => {
    inside += 1;
    most = Math.max(most, inside);
    await nextTurn();
    inside -= 1;
  };
  await Promise.all(Array.from({ length: 8 }, () => withMachineLock(name, visit)));
  expect(most).toBe(1);
});

test('failing work frees the lock', async () => {
  const name = uniqueName();
  await expect(withMachineLock(name, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await withMachineLock(name, () => Promise.resolve('next'))).toBe('next');
});

test('a holder in another process excludes us until it is killed', async () => {
  const name = uniqueName();
  const holder = forkProgram('hold-lock', [name]);
  await once(holder, 'message');

  const killed = once(holder, 'exit').then(() => 'killed');
  const order: string[] = [];
  const ours = withMachineLock(name, () => Promise.resolve(order.push('ours')));
  for (let turn = 0; turn < 100; turn += 1) await nextTurn();
  order.push('kill');
  holder.kill('SIGKILL');
  await Promise.all([ours, killed]);
  expect(order).toEqual(['kill', 'ours']);
});
