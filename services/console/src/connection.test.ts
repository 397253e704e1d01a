import { Connection } from './connection';
import { Socket, standInBrowser } from './testing/stand-in-browser';
import type { StandInPage } from './testing/stand-in-browser';

let page: StandInPage;
const states: string[] = [];
let tickets: PromiseWithResolvers<string>[];
let connection: Connection;

beforeEach(() => {
  jest.useFakeTimers();
  page = standInBrowser();
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
