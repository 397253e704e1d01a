/** A task that has enough to do says so at once, and when to come back. */
import type { PlatformOverrides } from '@matsuri/contract';
import { FakeAnswerer } from './testing/fake-answerer';
import { MemoryStore } from './testing/memory-store';
import { handshake, RawWebSocket } from './testing/raw-web-socket';
import { startSessionStage, TokenShelf, type SessionStage } from './testing/session-stage';

let stage: SessionStage;
afterEach(() => stage.close());

const start = async (sessions: NonNullable<PlatformOverrides['sessions']>): Promise<void> => {
  stage = await startSessionStage({
    answerer: new FakeAnswerer(),
    store: new MemoryStore(),
    tokens: new TokenShelf(),
    overrides: { sessions },
  });
};

test('while the event loop is hopelessly late, nothing new is opened', async () => {
  await start({ shedAtLoopDelayMs: 1 });
  const client = stage.client();
  const { id, ticket } = await client.open();
  const untilMs = performance.now() + 500;
  while (performance.now() < untilMs);
  await new Promise((resolve) => setTimeout(resolve));
  const refused = await Promise.all([
    client.fetch('', { method: 'POST' }),
    client.fetch(`/${id}/tickets`, { method: 'POST' }),
  ]);
  expect(refused.map(({ status }) => status)).toEqual([503, 503]);
  expect(refused.map(({ headers }) => headers.get('retry-after'))).toEqual(['1', '1']);
  const path = `/v1/sessions/${id}/ws?ticket=${ticket}`;
  const { socket, status } = await RawWebSocket.open(stage.url, path, handshake());
  expect(status).toBe(503);
  socket.destroy();
});

test('a task that is full refuses connections, until somebody leaves', async () => {
  await start({ maxConnectionsPerTask: 2 });
  const client = stage.client();
  const connect = async () => {
    const { id, ticket } = await client.open();
    return client.connect(id, ticket);
  };
  const [first] = await Promise.all([connect(), connect()]);
  await expect(connect()).rejects.toThrow('503');
  first.socket.close();
  await first.closed;
  const again = await connect();
  again.socket.close();
});
