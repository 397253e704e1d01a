import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { eventually } from '../../test/eventually';

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('a task and what it started end when their owner is killed with SIGKILL', async () => {
  const program = `
    const child = require('node:child_process').spawn('sleep', ['600']);
    console.log(process.pid + ' ' + child.pid);
    setInterval(() => undefined, 1000);`;
  const owner = spawn(process.execPath, [
    '--input-type=module',
    '-e',
    `const { startTaskProcess } = await import(${JSON.stringify(join(__dirname, 'task-process.ts'))});
     const task = startTaskProcess({
       command: [process.execPath, '-e', ${JSON.stringify(program)}],
       environment: {},
     });
     task.stdout.pipe(process.stdout);`,
  ]);
  const [line] = (await once(owner.stdout, 'data')) as [Buffer];
  const pids = line.toString().trim().split(' ').map(Number);
  expect(pids.map(isAlive)).toEqual([true, true]);

  owner.kill('SIGKILL');

  await eventually(
    () => pids.map(isAlive),
    (alive) => alive.every((each) => !each),
  );
});
