import { thisMachine } from './machine';

const run = (script: string, options = {}) =>
  thisMachine.run('sh', ['-c', script], { timeoutMs: 5_000, ...options });

test('hands back what a command printed', async () => {
  expect(await run('echo found')).toBe('found\n');
});

test.each([
  ['fails', 'exit 3'],
  ['takes too long', 'exec sleep 60'],
])('has nothing to hand back when the command %s', async (_, script) => {
  expect(await run(script, { timeoutMs: 500 })).toBeUndefined();
});

test('has nothing to hand back when there is no such command', async () => {
  expect(await thisMachine.run('no-such-program', [], { timeoutMs: 5_000 })).toBeUndefined();
});

test('calls a program by another name', async () => {
  const script = 'process.stdout.write(process.argv0)';
  const options = { timeoutMs: 5_000, argv0: 'disguised' };
  expect(await thisMachine.run(process.execPath, ['-e', script], options)).toBe('disguised');
});

test('finds programs on the PATH only', () => {
  expect(thisMachine.find('sh')).toMatch(/\/sh$/);
  expect(thisMachine.find('no-such-program')).toBeUndefined();
});
