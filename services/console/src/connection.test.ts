import type { ServerFrame } from '@matsuri/contract';

import { Connection } from './connection';

/** A socket that does what the test says. */
class Socket {
  static readonly OPEN = 1;
  static readonly all: Socket[] = [];
  readonly said: unknown[] = [];
  readyState = 0;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  constructor(readonly url: string) {
    Socket.all.push(this);
  }

  static get living(): Socket[] {
    return Socket.all.filter(({ readyState }) => readyState < 2);
  }

  static get newest(): Socket {
    const socket = Socket.all.at(-1);
    if (socket === undefined) throw new Error('nothing was connected to');
    return socket;
  }

  open(): void {
    this.readyState = Socket.OPEN;
    this.onopen?.();
  }

  hear(frame: Partial<ServerFrame>): void {
    this.onmessage?.({ data: JSON.stringify({ id: '1:0', ...frame }) });
  }

  break(code = 1006): void {
    this.readyState = 3;
    this.onclose?.({ code });
  }

  send(text: string): void {
    this.said.push(JSON.parse(text));
  }

  close(): void {
    this.readyState = 3;
  }
}

const page = new EventTarget();
const states: string[] = [];
let tickets: PromiseWithResolvers<string>[];
let connection: Connection;

beforeEach(() => {
  jest.useFakeTimers();
  Object.assign(globalThis, {
    WebSocket: Socket,
    window: globalThis,
    document: Object.assign(page, { visibilityState: 'visible' }),
    location: { href: 'http://shop.example/' },
    addEventListener: page.addEventListener.bind(page),
    removeEventListener: page.removeEventListener.bind(page),
  });
  Socket.all.length = 0;
  states.length = 0;
  tickets = [];
  connection = new Connection({
    shop: {
      openSession: () => Promise.resolve({ id: 'opened', ticket: 'first' }),
      ticketFor: () => {
        const ticket = Promise.withResolvers<string>();
        tickets.push(ticket);
        return ticket.promise;
      },
    },
    sessionId: 'session',
    greeting: () => [{ type: 'resume', lastId: '1:0' }],
    onFrame: () => undefined,
    onState: (state) => states.push(state),
    onSession: () => undefined,
  });
});

afterEach(() => {
  connection.close();
  jest.restoreAllMocks();
  jest.useRealTimers();
});

/** Lets the tickets that were asked for arrive. */
async function ticketsArrive(): Promise<void> {
  for (const ticket of tickets) ticket.resolve('ticket');
  await jest.advanceTimersByTimeAsync(0);
}

async function online(): Promise<Socket> {
  await ticketsArrive();
  Socket.newest.open();
  return Socket.newest;
}

test('a new connection begins with the greeting', async () => {
  const socket = await online();
  expect(socket.url).toBe('ws://shop.example/v1/sessions/session/ws?ticket=ticket');
  expect(socket.said).toEqual([{ type: 'resume', lastId: '1:0' }]);
  expect(states).toEqual(['online']);
});

test('a task that asks twice to move is left once, for one other', async () => {
  const first = await online();
  first.hear({ type: 'reconnect', afterMs: 100, reason: 'drain' });
  first.hear({ type: 'reconnect', afterMs: 150, reason: 'drain' });
  // The second time comes while the ticket for the next connection is on its way.
  await jest.advanceTimersByTimeAsync(200);
  await ticketsArrive();
  expect(Socket.living).toEqual([Socket.newest]);
  expect(Socket.all).toHaveLength(2);
  expect(tickets).toHaveLength(2);
});

test('a task that asked to move and then went has no say in the connection after it', async () => {
  const first = await online();
  first.hear({ type: 'reconnect', afterMs: 2_000, reason: 'drain' });
  first.break();
  await jest.advanceTimersByTimeAsync(1_000);
  const second = await online();
  await jest.advanceTimersByTimeAsync(5_000);
  expect(Socket.living).toEqual([second]);
  expect(Socket.all).toHaveLength(2);
});

test('a connection that never opens is given up for another', async () => {
  await ticketsArrive();
  await jest.advanceTimersByTimeAsync(46_000);
  await ticketsArrive();
  expect(Socket.all).toHaveLength(2);
  expect(Socket.living).toEqual([Socket.newest]);
});

/** How long the page waits after each of so many breaks. */
async function waitsAfter(breaks: number, fail: () => Promise<void>): Promise<number[]> {
  const waits: number[] = [];
  for (let i = 0; i < breaks; i += 1) {
    await ticketsArrive();
    await fail();
    const sinceMs = performance.now();
    const asked = tickets.length;
    while (tickets.length === asked) await jest.advanceTimersByTimeAsync(10);
    waits.push(performance.now() - sinceMs);
  }
  return waits;
}

test.each([
  [
    'an upgrade that fails slowly',
    async () => {
      await jest.advanceTimersByTimeAsync(3_000);
      Socket.newest.break();
    },
  ],
  [
    'a task that asks to try again later',
    async () => {
      Socket.newest.open();
      await jest.advanceTimersByTimeAsync(3_000);
      Socket.newest.break(1013);
    },
  ],
])('%s is tried less and less often', async (_, fail) => {
  jest.spyOn(Math, 'random').mockReturnValue(0.5);
  const waits = await waitsAfter(7, fail);
  expect(waits.at(-1)).toBeGreaterThan(7_000);
  expect(waits).toEqual(waits.toSorted((a, b) => a - b));
});

test('a connection that lived is followed by another at once', async () => {
  const waits = await waitsAfter(7, async () => {
    Socket.newest.open();
    await jest.advanceTimersByTimeAsync(3_000);
    Socket.newest.break();
  });
  expect(Math.max(...waits)).toBeLessThan(300);
});

test('a line that falls silent is given up, one that is spoken on is not', async () => {
  const socket = await online();
  for (let i = 0; i < 10; i += 1) {
    await jest.advanceTimersByTimeAsync(30_000);
    socket.hear({ type: 'ping' });
  }
  expect(Socket.living).toEqual([socket]);
  await jest.advanceTimersByTimeAsync(46_000);
  expect(Socket.living).toEqual([]);
  expect(states.at(-1)).toBe('reconnecting');
});

test('the network that is back ends the waiting, once', async () => {
  const socket = await online();
  socket.break();
  page.dispatchEvent(new Event('online'));
  page.dispatchEvent(new Event('online'));
  await ticketsArrive();
  expect(tickets).toHaveLength(2);
  expect(Socket.living).toHaveLength(1);
});

test('what is closed stays closed, whatever is still on its way', async () => {
  connection.close();
  await ticketsArrive();
  await jest.advanceTimersByTimeAsync(60_000);
  expect(Socket.all).toEqual([]);
});
