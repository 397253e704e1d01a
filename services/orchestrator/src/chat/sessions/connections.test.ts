import { configure } from '@matsuri/contract';
import type { Connection } from './connection';
import { Connections } from './connections';

const { sessions: settings } = configure();
const ROUND_MS = settings.pingSeconds * 1_000;
let connections: Connections;

beforeEach(() => {
  jest.useFakeTimers();
  connections = new Connections(settings, () => 0.5);
});
afterEach(() => {
  connections.close();
  jest.useRealTimers();
});

/** As much of a connection as its keeper deals with. */
function connect(count: number) {
  return Array.from({ length: count }, (_, nth) => {
    const fake = {
      guest: { session: { sessionId: String(nth) } },
      openedAtMs: performance.now(),
      isReading: false,
      look: jest.fn<undefined, [number]>(),
      askToMove: jest.fn<undefined, [number, string]>(),
      closeWhenRead: () => Promise.resolve(),
      terminate: () => undefined,
    };
    connections.add(fake as unknown as Connection);
    return fake;
  });
}

const leave = (gone: readonly unknown[]) => {
  for (const connection of gone) connections.delete(connection as Connection);
};

test('everybody who stays is looked at in every round, also when most others have left', () => {
  const all = connect(1_000);
  jest.advanceTimersByTime(ROUND_MS + ROUND_MS / 60);
  leave(all.slice(0, 700));
  const stayed = all.slice(700);
  for (const { look } of stayed) look.mockClear();
  jest.advanceTimersByTime(ROUND_MS);
  expect(stayed.filter(({ look }) => look.mock.calls.length !== 1)).toEqual([]);
});

test('who comes after a crowd has left is looked at within a round', () => {
  const crowd = connect(2_000);
  jest.advanceTimersByTime(ROUND_MS / 60);
  leave(crowd);
  const fresh = connect(40);
  jest.advanceTimersByTime(ROUND_MS);
  expect(fresh.filter(({ look }) => look.mock.calls.length === 0)).toEqual([]);
});

test('who is too old is asked to move once, however long it takes', () => {
  const [old] = connect(1);
  jest.advanceTimersByTime((settings.maxConnectionSeconds + 10 * settings.pingSeconds) * 1_000);
  expect(old?.askToMove.mock.calls).toEqual([[settings.reconnectJitterMs / 2, 'rebalance']]);
});
