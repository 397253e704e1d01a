import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { driveLogs } from './log-driver';
import type { LogLine } from './log-driver';

function program(): { stdout: PassThrough; stderr: PassThrough } {
  return { stdout: new PassThrough(), stderr: new PassThrough() };
}

test('lines of both streams reach the sink, metrics are read from standard output only', async () => {
  const output = program();
  const seen: LogLine[] = [];
  const offered: string[] = [];
  const done = driveLogs(output, {
    source: 'task-1',
    sink: (line) => void seen.push(line),
    ingestEmf: (line) => offered.push(line) > 0,
  });
  output.stdout.end('{"_aws":{}}\nhello');
  output.stderr.end('oops\n');
  await done;

  expect(seen.map(({ stream, text }) => `${stream} ${text}`).sort()).toEqual([
    'stderr oops',
    'stdout hello',
    'stdout {"_aws":{}}',
  ]);
  expect(offered).toEqual(['{"_aws":{}}', 'hello']);
});

test('a character cut in two by the pipe arrives whole', async () => {
  const output = program();
  const seen: string[] = [];
  const done = driveLogs(output, { source: 't', sink: ({ text }) => void seen.push(text) });
  const bytes = Buffer.from('祭り\n');
  output.stdout.write(bytes.subarray(0, 4));
  output.stdout.end(bytes.subarray(4));
  output.stderr.end();
  await done;

  expect(seen).toEqual(['祭り']);
});

test('a sink that waits holds the program back', async () => {
  const output = program();
  const gate = Promise.withResolvers<undefined>();
  const first = Promise.withResolvers<undefined>();
  let taken = 0;
  const done = driveLogs(output, {
    source: 't',
    sink: () => {
      taken += 1;
      first.resolve(undefined);
      return gate.promise;
    },
  });
  output.stderr.end();
  const chunk = Buffer.from(`${'x'.repeat(1_000)}\n`);
  let written = 0;
  while (output.stdout.write(chunk)) written += 1;
  await first.promise;
  for (let turn = 0; turn < 10; turn += 1) await nextTurn();
  expect(taken).toBe(1);

  gate.resolve(undefined);
  output.stdout.end();
  await done;
  expect(taken).toBe(written + 1);
});
