import { startFaultProxy, type FaultProxy } from '@matsuri/local';
import type { Redis } from 'ioredis';
import { openRedis } from './open-redis';

let link: FaultProxy;
let client: Redis;

beforeEach(async () => {
  const url = process.env['REDIS_URL'] ?? '';
  const { hostname, port } = new URL(url);
  link = await startFaultProxy({ upstream: { host: hostname, port: Number(port) } });
  client = openRedis({ url: link.through(url), log: { debug: () => undefined } });
  await heard('ready');
});
afterEach(async () => {
  client.disconnect();
  await link.close();
});

function heard(event: 'close' | 'ready'): Promise<void> {
  return new Promise((resolve) => client.once(event, () => resolve()));
}

test('a connection that hangs is given up for another, and its commands with it', async () => {
  const hung = link.add({ type: 'timeout' });
  const closed = heard('close');
  await expect(client.ping()).rejects.toThrow();
  await closed;
  const back = heard('ready');
  link.remove(hung);
  await back;
  expect(client.commandQueue.length).toBe(0);
  expect(await client.ping()).toBe('PONG');
}, 15_000);
