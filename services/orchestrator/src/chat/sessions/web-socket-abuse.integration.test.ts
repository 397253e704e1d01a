/** What a hostile client can send over a WebSocket: each is ended with the right code, and the house stands. */
import { FakeAnswerer } from './testing/fake-answerer';
import { MemoryStore } from './testing/memory-store';
import { frameBytes, handshake, RawWebSocket } from './testing/raw-web-socket';
import { ORIGIN, startSessionStage, TokenShelf, type SessionStage } from './testing/session-stage';

const answerer = new FakeAnswerer();
let stage: SessionStage;

beforeAll(async () => {
  stage = await startSessionStage({ answerer, store: new MemoryStore(), tokens: new TokenShelf() });
});
afterAll(() => stage.close());

const text = (content: string | Buffer) => Buffer.from(content);
const TEXT = 1;
const BINARY = 2;
const CONTINUATION = 0;
const CLOSE = 8;
const PING = 9;
const MEBIBYTE = 1_024 * 1_024;

async function openRaw(headers: Readonly<Record<string, string>> = handshake()) {
  const { id, ticket } = await stage.client().open();
  const path = `/v1/sessions/${id}/ws?ticket=${ticket}`;
  return RawWebSocket.open(stage.url, path, headers);
}

/** The house stands: somebody else is served as ever. */
async function serves(): Promise<void> {
  const before = answerer.answers.length;
  const client = stage.client();
  const { id, ticket } = await client.open();
  const talk = await client.connect(id, ticket, { headers: { origin: ORIGIN } });
  talk.ask('m');
  const answer = await answerer.asked(before);
  answer.finish();
  await talk.hear('done');
  talk.socket.close();
}

const tooManyFragments = Buffer.concat([
  frameBytes({ opcode: TEXT, fin: false }),
  ...Array.from({ length: 200 }, () => frameBytes({ opcode: CONTINUATION, fin: false })),
]);

const longMessage = frameBytes({ opcode: TEXT, payload: Buffer.alloc(65_537, 0x61) });
const inPieces = Buffer.concat([
  frameBytes({ opcode: TEXT, fin: false, payload: Buffer.alloc(40_000, 0x61) }),
  frameBytes({ opcode: CONTINUATION, payload: Buffer.alloc(40_000, 0x61) }),
]);

test.each<readonly [string, Buffer, readonly number[]]>([
  ['an unmasked frame', frameBytes({ opcode: TEXT, payload: text('{}'), masked: false }), [1002]],
  ['a reserved opcode', frameBytes({ opcode: 3 }), [1002]],
  ['a reserved control opcode', frameBytes({ opcode: 11 }), [1002]],
  ['a reserved bit', frameBytes({ opcode: TEXT, rsv: 4, payload: text('{}') }), [1002]],
  ['a continuation of nothing', frameBytes({ opcode: CONTINUATION, payload: text('x') }), [1002]],
  ['a fragmented ping', frameBytes({ opcode: PING, fin: false }), [1002]],
  ['a ping of 126 bytes', frameBytes({ opcode: PING, payload: Buffer.alloc(126) }), [1002]],
  [
    'a close code nobody may send',
    frameBytes({ opcode: CLOSE, payload: text('\x03\xed') }),
    [1002, 1007],
  ],
  ['a close with one byte', frameBytes({ opcode: CLOSE, payload: text('x') }), [1002]],
  [
    'text that is no UTF-8',
    frameBytes({ opcode: TEXT, payload: text(Buffer.from([0xc0, 0xaf])) }),
    [1007],
  ],
  [
    'a frame that claims 100 MiB',
    frameBytes({ opcode: TEXT, claimedLength: 100 * MEBIBYTE }),
    [1009],
  ],
  ['a message one byte too long', longMessage, [1009]],
  ['a message too long in pieces', inPieces, [1009]],
  ['200 empty fragments', tooManyFragments, [1008, 1009]],
  ['binary', frameBytes({ opcode: BINARY, payload: text('{}') }), [1003]],
])('%s', async (_, bytes, codes) => {
  const { socket, status } = await openRaw();
  expect(status).toBe(101);
  socket.write(bytes);
  expect(codes).toContain(await socket.closeCode());
  await serves();
});

test('a flood of pings', async () => {
  const { socket } = await openRaw();
  const ping = frameBytes({ opcode: PING });
  socket.write(Buffer.concat(Array.from({ length: 10_000 }, () => ping)));
  // Either we say goodbye, or the library has enough of pongs that nobody reads.
  expect([1008, undefined]).toContain(await socket.closeCode());
  await serves();
});

test('a flood of nonsense is answered, then ended', async () => {
  const { socket } = await openRaw();
  const nonsense = frameBytes({ opcode: TEXT, payload: text('{"type":"message"}') });
  socket.write(Buffer.concat(Array.from({ length: 1_000 }, () => nonsense)));
  expect(await socket.closeCode()).toBe(1008);
  await serves();
});

test.each<readonly [string, string]>([
  ['no JSON', '{"type":'],
  ['an unknown type', '{"type":"shutdown"}'],
  ['a forged frame id', '{"type":"resume","lastId":"1:1e400"}'],
  ['a prototype', '{"__proto__":{"type":"pong"}}'],
  ['a message without a text', '{"type":"message","clientMessageId":"a","text":""}'],
])('a frame with %s is refused by name, and the talk goes on', async (_, frame) => {
  const client = stage.client();
  const { id, ticket } = await client.open();
  const talk = await client.connect(id, ticket);
  talk.socket.send(frame);
  expect(await talk.hear('error')).toMatchObject({ code: 'invalid_frame' });
  const before = answerer.answers.length;
  talk.ask('m');
  (await answerer.asked(before)).finish();
  await talk.hear('done');
  talk.socket.close();
});

test.each<readonly [string, object, string]>([
  ['a text too long', { text: 'x'.repeat(16_001) }, 'message_too_long'],
  ['a locale nobody speaks here', { text: 'hello', locale: 'fr' }, 'invalid_frame'],
])('a message with %s is refused by its id', async (_, fields, code) => {
  const client = stage.client();
  const { id, ticket } = await client.open();
  const talk = await client.connect(id, ticket);
  talk.socket.send(JSON.stringify({ type: 'message', clientMessageId: 'm', ...fields }));
  expect(await talk.hear('error')).toMatchObject({ code, clientMessageId: 'm' });
  talk.socket.close();
});

test.each<readonly [string, Readonly<Record<string, string>>, number]>([
  ['an origin that is not on the list', { ...handshake(), origin: 'https://evil.example' }, 403],
  ['an origin that begins like one', { ...handshake(), origin: `${ORIGIN}.evil.example` }, 403],
  ['the null origin', { ...handshake(), origin: 'null' }, 403],
  ['another version', { ...handshake(), 'sec-websocket-version': '12' }, 400],
  ['a key that is none', { ...handshake(), 'sec-websocket-key': 'short' }, 400],
])('a handshake with %s', async (_, headers, status) => {
  expect((await openRaw(headers)).status).toBe(status);
  await serves();
});

test.each([
  ['no credentials', '/v1/sessions/s/ws', 401],
  ['a made-up ticket', '/v1/sessions/s/ws?ticket=e30.AAAA', 401],
  ['a ticket that is no text', `/v1/sessions/s/ws?ticket=${'%00'.repeat(3)}`, 401],
  ['another path', '/v1/chat/completions', 404],
  ['a session id with a slash in it', '/v1/sessions/a/b/ws', 404],
])('an upgrade with %s', async (_, path, status) => {
  const answer = await RawWebSocket.open(stage.url, path, handshake());
  expect(answer.status).toBe(status);
  answer.socket.destroy();
});

test.each<readonly [string, string, Readonly<Record<string, string>>]>([
  ['no credentials', '/v1/sessions/s/ws', handshake()],
  ['a made-up ticket', '/v1/sessions/s/ws?ticket=e30.AAAA', handshake()],
  [
    'an origin that is not on the list',
    '/v1/sessions/s/ws',
    { ...handshake(), origin: 'https://evil.example' },
  ],
  ['another path', '/v1/chat/completions', handshake()],
])('an upgrade with %s, reset before it is refused', async (_, path, headers) => {
  for (let nth = 0; nth < 20; nth += 1) {
    await RawWebSocket.openAndReset(stage.url, path, headers);
  }
  await serves();
});

test('a handshake that is good, reset before it is answered', async () => {
  for (let nth = 0; nth < 20; nth += 1) {
    const { id, ticket } = await stage.client().open();
    const path = `/v1/sessions/${id}/ws?ticket=${ticket}`;
    await RawWebSocket.openAndReset(stage.url, path, handshake());
  }
  await serves();
});
