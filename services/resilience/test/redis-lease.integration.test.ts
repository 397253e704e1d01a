import { randomUUID } from 'node:crypto';
import { requireRedis, startRedis, type RunningRedis } from '@matsuri/local';
import { Redis } from 'ioredis';
import { acquireLease, type HeldLease } from '../src';

let server: RunningRedis;
let redis: Redis;

beforeAll(async () => {
  server = requireRedis(await startRedis());
  redis = new Redis(server.url);
});
afterAll(async () => {
  redis.disconnect();
  await server.close();
});

function setUp(ttlMs = 60_000) {
  const key = `lease:${randomUUID()}`;
  const attempt = (owner: string) => acquireLease({ redis, key, owner, ttlMs });
  const acquire = async (owner: string): Promise<HeldLease> => {
    for (;;) {
      const result = await attempt(owner);
      if (result.kind === 'acquired') return result.lease;
      await new Promise((resolve) => setTimeout(resolve, result.freeInMs));
    }
  };
  return { key, attempt, acquire };
}

test('one holder at a time; the other learns how long to wait', async () => {
  const { attempt } = setUp();
  const results = await Promise.all(['a', 'b', 'c'].map(attempt));
  expect(results.filter(({ kind }) => kind === 'acquired')).toHaveLength(1);
  const taken = results.find((result) => result.kind === 'taken');
  expect(taken?.freeInMs).toBeGreaterThan(50_000);
});

test('the holder itself does not get it twice', async () => {
  const { attempt } = setUp();
  await attempt('a');
  expect((await attempt('a')).kind).toBe('taken');
});

test('a lease that runs out goes to the next with a larger epoch; the old one can do nothing more', async () => {
  const { acquire } = setUp(50);
  const first = await acquire('a');
  const second = await acquire('b');
  expect(second.epoch).toBeGreaterThan(first.epoch);
  expect(await first.renew()).toBe(false);
  expect(await first.release()).toBe(false);
  expect(await second.renew()).toBe(true);
});

test('renewing keeps it, releasing frees it at once and only once', async () => {
  const { acquire, attempt } = setUp();
  const lease = await acquire('a');
  expect(await lease.renew()).toBe(true);
  expect(await lease.release()).toBe(true);
  expect(await lease.release()).toBe(false);
  const next = await attempt('b');
  expect(next.kind).toBe('acquired');
});

test('epochs grow even when the server has forgotten everything', async () => {
  const { acquire, key } = setUp();
  const epochs: number[] = [];
  for (let n = 0; n < 3; n++) {
    epochs.push((await acquire(`owner ${n}`)).epoch);
    await redis.del(key);
    // Epochs of a server without memory are its milliseconds: wait for the next one.
    const startedMs = Date.now();
    while (Date.now() - startedMs < 2) await redis.time();
  }
  expect(new Set(epochs).size).toBe(3);
  expect([...epochs].sort((a, b) => a - b)).toEqual(epochs);
});

test('a lease that nobody wants any more leaves no key for ever', async () => {
  const { acquire, key } = setUp();
  await acquire('a');
  expect(await redis.pttl(key)).toBeGreaterThan(0);
});
