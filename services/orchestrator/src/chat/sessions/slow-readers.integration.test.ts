/** Clients that open their mouths and shut their ears: what is kept for them has an end, and the house stands. */
import { connect, type Socket } from 'node:net';
import { FakeAnswerer } from './testing/fake-answerer';
import { MemoryStore } from './testing/memory-store';
import { frameBytes, handshake } from './testing/raw-web-socket';
import { startSessionStage, TokenShelf, type SessionStage } from './testing/session-stage';

const answerer = new FakeAnswerer();
let stage: SessionStage;

beforeAll(async () => {
  stage = await startSessionStage({
    answerer,
    store: new MemoryStore(),
    tokens: new TokenShelf(),
    overrides: { sessions: { maxBufferedBytes: 65_536 } },
  });
});
afterAll(() => stage.close());

const MESSAGE = { clientMessageId: 'm1', text: 'question' };
/** More than the system keeps for a connection between two processes here. */
const DELTAS = 64;
const DELTA = { type: 'delta', text: 'x'.repeat(512 * 1_024) } as const;

/** Sends a request, and reads nothing of what comes back. */
async function sendDeaf(request: string, more?: Buffer): Promise<Socket> {
  const socket = connect(Number(new URL(stage.url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.pause();
  socket.write(request);
  if (more) socket.write(more);
  return socket;
}

/** Listens again: how much had come when the connection ended. */
async function heardUntilTheEnd(socket: Socket): Promise<number> {
  let bytes = 0;
  socket.on('data', (chunk) => (bytes += chunk.length)).resume();
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
  return bytes;
}

const headLines = (headers: Readonly<Record<string, string>>) =>
  Object.entries({ host: 'x', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);

const askOverWebSocket = async (): Promise<Socket> => {
  const { id, ticket } = await stage.client().open();
  const head = `GET /v1/sessions/${id}/ws?ticket=${ticket} HTTP/1.1\r\n`;
  const payload = Buffer.from(JSON.stringify({ type: 'message', ...MESSAGE }));
  const request = `${head}${headLines(handshake()).join('')}\r\n`;
  return sendDeaf(request, frameBytes({ opcode: 1, payload }));
};

const askOverEvents = async (): Promise<Socket> => {
  const { id } = await stage.client().open();
  const body = JSON.stringify(MESSAGE);
  const headers = {
    authorization: 'Bearer key-1',
    'x-end-user': 'user-1',
    'content-type': 'application/json',
    'content-length': String(body.length),
  };
  const head = `POST /v1/sessions/${id}/messages HTTP/1.1\r\n`;
  return sendDeaf(`${head}${headLines(headers).join('')}\r\n${body}`);
};

test.each([
  ['a WebSocket', askOverWebSocket],
  ['server-sent events', askOverEvents],
])('over %s, who reads nothing is cut off', async (_, ask) => {
  const before = answerer.answers.length;
  const deaf = await ask();
  const answer = await answerer.asked(before);
  for (let nth = 0; nth < DELTAS; nth += 1) {
    answer.say(DELTA);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await heardUntilTheEnd(deaf)).toBeLessThan((DELTAS * DELTA.text.length) / 2);
  answer.finish();
});

test('a stream that goes on where there is nothing left is a stream, and says who it is', async () => {
  const before = answerer.answers.length;
  const client = stage.client();
  const { id } = await client.open();
  const first = client.message(id, 'm1');
  (await answerer.asked(before)).finish();
  const ids = (await (await first).text()).match(/^id: .*$/gm) ?? [];
  const again = await fetch(`${stage.url}/v1/sessions/${id}/messages`, {
    method: 'POST',
    body: JSON.stringify({ clientMessageId: 'm1', text: 'question' }),
    headers: {
      authorization: 'Bearer key-1',
      'x-end-user': 'user-1',
      'content-type': 'application/json',
      'last-event-id': ids.at(-1)?.slice(4) ?? '',
    },
  });
  expect(again.status).toBe(200);
  expect(again.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(again.headers.get('x-request-id')).toBeTruthy();
  expect(await again.text()).toBe('');
});
