import { EventEmitter } from 'node:events';
import { CLOSE_CODES, configure, type ClientFrame, type ServerFrame } from '@matsuri/contract';
import type { WebSocket } from 'ws';
import { Connection, type Guest } from './connection';
import type { SessionWorld } from './session-world';

const guest: Guest = {
  session: { tenantId: 't', userId: 'u', sessionId: 's' },
  token: { tenantId: 't', tokenId: 'k' },
};

/** As much of a WebSocket as a connection deals with. */
class FakeSocket extends EventEmitter {
  readonly OPEN = 1;
  readonly CLOSING = 2;
  readyState = 1;
  bufferedAmount = 0;
  readonly sent: ServerFrame[] = [];
  readonly ends: (number | 'terminated')[] = [];

  send(text: string): void {
    this.sent.push(JSON.parse(text) as ServerFrame);
  }

  close(code: number): void {
    this.readyState = 2;
    this.ends.push(code);
  }

  terminate(): void {
    this.readyState = 3;
    this.ends.push('terminated');
  }

  hear(frame: ClientFrame): void {
    this.emit('message', Buffer.from(JSON.stringify(frame)), false);
  }
}

function connect(world: Partial<Record<keyof SessionWorld, unknown>> = {}) {
  const socket = new FakeSocket();
  const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const connections = { delete: () => undefined };
  const tokens = { current: () => ({ tenantId: 't', id: 'k' }) };
  const fake = { settings: configure().sessions, log: silent, connections, tokens, ...world };
  const connection = new Connection(
    socket as unknown as WebSocket,
    guest,
    fake as unknown as SessionWorld,
  );
  return { socket, connection };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test.each(['ping', 'pong'])('a flood of %ss is no conversation', (event) => {
  const { socket } = connect();
  for (let nth = 0; nth < 300; nth += 1) socket.emit(event);
  expect(socket.ends).toEqual([]);
  socket.emit(event);
  expect(socket.ends).toEqual([CLOSE_CODES.policyViolation]);
});

test('who leaves too much unread is cut off, whatever it is', () => {
  const { socket, connection } = connect();
  socket.bufferedAmount = configure().sessions.maxBufferedBytes;
  connection.tell({ type: 'ping' });
  expect(socket.ends).toEqual([]);
  socket.bufferedAmount += 1;
  connection.tell({ type: 'ping' });
  expect(socket.ends).toEqual(['terminated']);
});

test('going on again and again is no conversation', async () => {
  const over = Promise.resolve();
  const resume = jest.fn(() =>
    Promise.resolve({ kind: 'following', messageId: 'm', over, stop: () => undefined }),
  );
  const { socket } = connect({ answers: { resume } });
  for (let nth = 0; nth < 100; nth += 1) {
    socket.hear({ type: 'resume', lastId: '7:3' });
    await turn();
  }
  expect(socket.ends[0]).toBe(CLOSE_CODES.policyViolation);
  expect(resume.mock.calls.length).toBeLessThan(20);
});

test.each([
  ['the token cannot be looked up', { tokens: { current: () => Promise.reject(new Error('')) } }],
  ['the answer cannot be found', { answers: { resume: () => Promise.reject(new Error('')) } }],
])('where %s, a client that wants to go on is asked to try again', async (_, world) => {
  const { socket } = connect(world);
  socket.hear({ type: 'resume', lastId: '7:3' });
  await turn();
  expect(socket.ends).toEqual([CLOSE_CODES.tryAgainLater]);
  expect(socket.sent).toEqual([]);
});
