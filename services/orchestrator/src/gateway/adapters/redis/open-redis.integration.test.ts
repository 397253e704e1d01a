import { setTimeout } from 'node:timers/promises';
import { configure } from '@matsuri/contract';
import { startFaultProxy, type FaultProxy } from '@matsuri/local';
import type { GatheringRedis } from './gathering-redis';
import { openRedis } from './open-redis';

const SILENCE_MS = 200;
const { redis: pool } = configure().pools.perTask;

let link: FaultProxy;
let redis: GatheringRedis;

beforeEach(async () => {
  const url = process.env['REDIS_URL'] ?? '';
  const { hostname, port } = new URL(url);
  link = await startFaultProxy({ upstream: { host: hostname, port: Number(port) } });
  const log = { debug: () => undefined };
  const settings = { ...pool, socketTimeoutMs: SILENCE_MS };
  redis = openRedis({ url: link.through(url), pool: settings, log });
  await heard('ready');
});
afterEach(async () => {
  redis.disconnect();
  await link.close();
});

/** Whatever errors come before it. */
function heard(event: 'connect' | 'ready'): Promise<void> {
  return new Promise((resolve) => redis.once(event, () => resolve()));
}

test('commands do not pile up before a Redis that hangs, and are answered when it is back', async () => {
  link.add({ type: 'timeout' });
  let open = 0;
  const ends: string[] = [];
  const ask = async (): Promise<void> => {
    open += 1;
    ends.push(await redis.ping().catch(() => 'failed'));
    open -= 1;
  };
  const mostSent = SILENCE_MS / 10;
  for (let asked = 0; asked < 10 * mostSent; asked += 1) {
    void ask();
    // Those before the silence was noticed, and the greeting of a new connection.
    expect(open).toBeLessThanOrEqual(2 * mostSent);
    await setTimeout(10);
  }
  expect(new Set(ends)).toEqual(new Set(['failed']));

  const back = heard('ready');
  link.heal();
  await back;
  expect(await redis.ping()).toBe('PONG');
});

test('a connection that is silent from the start is given up as well', async () => {
  link.add({ type: 'timeout' });
  link.cutConnections();
  await heard('connect');
  await heard('connect');
  expect(redis.status).toBe('connect');
});

test('time to connect and silence are those of the configuration', () => {
  expect(redis.options).toMatchObject({ connectTimeout: 5_000, socketTimeout: SILENCE_MS });
});
