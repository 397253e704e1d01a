import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setDatabaseStage, type DatabaseStage } from './database-stage';
import { HOSTILE_BODIES } from './hostile-bodies';
import { ADMIN_TOKEN, startProgram, type RunningProgram } from './program';

jest.setTimeout(30_000);

let database: DatabaseStage;
let program: RunningProgram;

beforeAll(async () => {
  database = await setDatabaseStage();
  program = await startProgram({ databaseUrl: database.url });
});
afterAll(async () => {
  program.signal('SIGTERM');
  await program.ended;
  await database.close();
});

const HEADERS = [
  'POST /v1/tokens?tenant=acme HTTP/1.1',
  'host: localhost',
  `authorization: Bearer ${ADMIN_TOKEN}`,
  'content-type: application/json',
];

/** Writes until the server has said its word, and returns that. */
async function exchange(
  head: readonly string[],
  parts: Iterable<string | Buffer>,
): Promise<string> {
  const socket = connect(Number(new URL(program.url).port), '127.0.0.1');
  let answer = '';
  const over = new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString();
      if (isWhole(answer)) resolve();
    });
    // A server that refuses may close while we still write.
    socket.on('error', () => undefined);
    socket.once('close', () => resolve());
  });
  const written = (part: string | Buffer): Promise<unknown> =>
    Promise.race([over, new Promise((resolve) => socket.write(part, resolve))]);
  await written([...head, '', ''].join('\r\n'));
  for (const part of parts) {
    if (answer !== '' || socket.destroyed) break;
    await written(part);
  }
  await over;
  socket.destroy();
  return answer;
}

function isWhole(answer: string): boolean {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  const length = /content-length: (\d+)/i.exec(head)?.[1];
  return length !== undefined && Buffer.byteLength(body) >= Number(length);
}

const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);

function* repeated(part: string, times: number): Generator<string> {
  for (let i = 0; i < times; i++) yield part;
}

test.each(HOSTILE_BODIES)('%s is refused with 400 by the real program', async (_, body) => {
  const length = Buffer.byteLength(body);
  const answer = await exchange([...HEADERS, `content-length: ${length}`], [body]);
  expect(statusOf(answer)).toBe(400);
});

test('bytes that are no text are refused, not stored in disguise', async () => {
  const body = Buffer.concat([
    Buffer.from('{"user_id":"alice","name":"n'),
    Buffer.from([0xff, 0xfe, 0xc3]),
    Buffer.from('"}'),
  ]);
  const answer = await exchange([...HEADERS, `content-length: ${body.length}`], [body]);
  expect(statusOf(answer)).toBe(400);
});

test('a hundred megabytes in chunks of unstated number are cut off early, in flat memory', async () => {
  const mebibyte = `100000\r\n${'x'.repeat(1_048_576)}\r\n`;
  const before = residentMegabytes();
  const answer = await exchange(
    [...HEADERS, 'transfer-encoding: chunked'],
    repeated(mebibyte, 100),
  );
  expect(statusOf(answer)).toBe(413);
  expect(residentMegabytes() - before).toBeLessThan(64);
});

test('a hundred megabytes that are announced are refused at once', async () => {
  const answer = await exchange([...HEADERS, 'content-length: 104857600'], repeated('x', 1));
  expect(statusOf(answer)).toBe(413);
});

test.each([
  [
    'a flood of headers',
    [...HEADERS, ...Array.from({ length: 5_000 }, (_, i) => `x-${i}: y`)],
    431,
  ],
  ['one endless header', [...HEADERS, `x-long: ${'y'.repeat(20_000)}`], 431],
  ['two lengths', [...HEADERS, 'content-length: 2', 'content-length: 3'], 400],
  ['a length and chunks', [...HEADERS, 'content-length: 2', 'transfer-encoding: chunked'], 400],
  ['a length that is none', [...HEADERS, 'content-length: -1'], 400],
  ['no host', ['GET /v1/usage HTTP/1.1'], 400],
  ['a broken escape', ['GET /v1/tokens/%E0%A4%A?tenant=%zz HTTP/1.1', ...HEADERS.slice(1, 3)], 400],
  ['a null in the path', ['GET /v1/tokens/%00?tenant=a HTTP/1.1', ...HEADERS.slice(1, 3)], 400],
])('%s is refused before it costs anything', async (_, head, status) => {
  expect(statusOf(await exchange(head, []))).toBe(status);
});

test('after all this nothing was created and the program is well', async () => {
  expect(await database.tokens.list({ tenantId: 'acme' })).toEqual([]);
  expect((await fetch(`${program.healthUrl}/readyz`)).status).toBe(200);
  expect(program.lines.filter((line) => /"level":"(error|fatal)"/.test(line))).toEqual([]);
});

function residentMegabytes(): number {
  const status = readFileSync(`/proc/${program.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1_024;
}
