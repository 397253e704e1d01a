import { connect } from 'node:net';
import { once } from 'node:events';
import { request, type ClientRequest } from 'node:http';
import { readFileSync } from 'node:fs';
import { eventually } from './eventually';
import { startProgramProcess, type ProgramProcess } from './program-process';
import { chatBody, postRaw } from './raw-client';
import { setStage, type Stage } from './stage';

let stage: Stage;
let program: ProgramProcess;
let key: string;

beforeAll(async () => {
  stage = await setStage();
  program = await startProgramProcess(stage.environment());
  ({ key } = await stage.newToken());
}, 60_000);

afterAll(async () => {
  await program.stop();
  await stage.close();
});

const good = JSON.stringify(chatBody());

test.each([
  ['nothing', ''],
  ['no JSON', '{"model":'],
  ['two values', '{} {}'],
  ['a byte order mark', `\uFEFF${good}`],
  ['no object', '[]'],
  ['null', 'null'],
  ['a number beyond all numbers', good.replace('{', '{"temperature":1e400,')],
  ['a deep nest', '['.repeat(200_000)],
  [
    'a deep nest in a tool',
    JSON.stringify(chatBody({ tools: [] })).replace(
      '[]',
      `[${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}]`,
    ),
  ],
  ['a prototype', good.replace('{', '{"__proto__":{"isAdmin":true},')],
  ['an unknown word', good.replace('{', '{"constructor":1,')],
  ['a great many keys', `{${Array.from({ length: 100_000 }, (_, n) => `"k${n}":1`).join(',')}}`],
])('%s is a bad request', async (_, body) => {
  const reply = await postRaw(program.url, key, body);
  expect(reply.status).toBe(400);
  expect(JSON.parse(reply.body)).toHaveProperty('error.type', 'invalid_request_error');
});

test.each([
  ['overlong', [0xc0, 0xaf]],
  ['truncated', [0xe3, 0x81]],
  ['a lone surrogate', [0xed, 0xa0, 0x80]],
])('text that is not UTF-8 (%s) is a bad request', async (_, bytes) => {
  const body = Buffer.concat([
    Buffer.from(good.slice(0, -4)),
    Buffer.from(bytes),
    Buffer.from('"}]}'),
  ]);
  expect((await postRaw(program.url, key, body)).status).toBe(400);
});

test.each([
  ['with its length said', true],
  ['chunked, without a word of its length', false],
])(
  'a body of 100 MB %s is refused, and leaves no trace in memory',
  async (_, sayLength) => {
    const residentMb = () =>
      Number(
        /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${program.serverPid}/status`, 'utf8'))?.[1],
      ) / 1_024;
    const before = residentMb();
    const size = 100 * 1_024 * 1_024;
    const chunk = Buffer.alloc(1_024 * 1_024, 'a');
    const sent = request(`${program.url}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        ...(sayLength && { 'content-length': String(size) }),
      },
    });
    sent.on('error', () => undefined);
    const answered = once(sent, 'response');
    for (let n = 0; n < 100 && !sent.destroyed; n += 1) {
      if (!sent.write(chunk)) await roomOrEnd(sent);
    }
    const [response] = (await answered) as [{ statusCode: number; resume(): void }];
    expect(response.statusCode).toBe(413);
    response.resume();
    sent.destroy();
    expect(residentMb() - before).toBeLessThan(100);
  },
  30_000,
);

function roomOrEnd(sent: ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      sent.off('drain', done).off('close', done);
      resolve();
    };
    sent.once('drain', done).once('close', done);
  });
}

/** Writes bytes and returns what comes back before the connection ends. */
async function exchangeBytes(bytes: string): Promise<string> {
  const { port } = new URL(program.url);
  const socket = connect(Number(port), '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  socket.on('error', () => undefined);
  socket.write(bytes);
  await new Promise<void>((resolve) => socket.once('close', () => resolve()));
  return text;
}

const head = `POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\n`;

test.each([
  [
    '2,000 headers',
    `${head}${Array.from({ length: 2_000 }, (_, n) => `x-${n}: 1\r\n`).join('')}\r\n`,
    431,
  ],
  ['a header of 20 KB', `${head}x: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
  ['a header with a NUL', `${head}x: a\0b\r\n\r\n`, 400],
  ['two lengths', `${head}content-length: 3\r\ncontent-length: 4\r\n\r\nabc`, 400],
  [
    'a length and chunks',
    `${head}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    400,
  ],
  ['no HTTP at all', 'hello\r\n\r\n', 400],
])('%s: refused, and the connection closed', async (_, bytes, status) => {
  expect(await exchangeBytes(bytes)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
});

test('two Authorization headers are as good as none', async () => {
  const reply = await exchangeBytes(
    `${head}connection: close\r\nauthorization: Bearer ${key}\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: ${good.length}\r\n\r\n${good}`,
  );
  expect(reply).toMatch(/^HTTP\/1.1 401 /);
});

test.each([
  ['GET', '/v1/chat/completions', 405],
  ['DELETE', '/v1/models', 405],
  ['GET', '/v1/nothing', 404],
  ['POST', '/../../etc/passwd', 404],
])('%s %s is not to be had', async (method, path, status) => {
  const reply = await fetch(`${program.url}${path}`, { method });
  expect(reply.status).toBe(status);
  expect(await reply.json()).toHaveProperty('error.message');
});

test('after all this it answers as before', async () => {
  await eventually(async () => (await postRaw(program.url, key, good)).status === 200);
  expect(program.log.filter((line) => line['level'] === 'error')).toEqual([]);
});
