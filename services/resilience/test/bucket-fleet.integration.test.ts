/** Three real processes with wrong wall clocks saturate one bucket on a real Redis. */
import { requireRedis, startRedis, type RunningRedis } from '@matsuri/local';
import { Redis } from 'ioredis';
import { BucketFleet, BURST, PER_MICRO, TENANTS, type LoggedGrant } from './bucket-fleet';
import { worstBurst } from './grant-intervals';

jest.setTimeout(60_000);

let server: RunningRedis;
let fleet: BucketFleet;

beforeAll(async () => {
  server = requireRedis(await startRedis());
});
afterEach(() => fleet.stop());
afterAll(() => server.close());

async function serverMicros(redis: Redis): Promise<number> {
  const [seconds, micros] = await redis.time();
  return Number(seconds) * 1_000_000 + Number(micros);
}

const nowMicros = (): number => Math.round((performance.timeOrigin + performance.now()) * 1_000);
const counted = (grants: readonly LoggedGrant[]) =>
  grants.map(({ atMicros }) => ({ atMicros, amount: 1 }));
const between = (grants: readonly LoggedGrant[], from: number, to: number) =>
  grants.filter(({ atMicros }) => atMicros >= from && atMicros < to);

test('grants stay within rate and burst over every interval, waste nothing, and are fair', async () => {
  const redis = new Redis(server.url);
  fleet = new BucketFleet(server.url);
  await fleet.allGrantedSince(0);

  const fromMicros = await serverMicros(redis);
  const flushAtMicros = fromMicros + 2_000_000;
  const toMicros = fromMicros + 5_000_000;
  await fleet.until((grants) => grants.some(({ atMicros }) => atMicros >= flushAtMicros));
  await redis.script('FLUSH');
  await fleet.until((grants) => grants.some(({ atMicros }) => atMicros >= toMicros));
  await fleet.stop();
  redis.disconnect();

  expect(new Set(fleet.grants.map(({ source }) => source))).toEqual(new Set(['shared']));
  expect(worstBurst(counted(fleet.grants), PER_MICRO)).toBeLessThanOrEqual(BURST + 0.001);

  const steady = between(fleet.grants, fromMicros, toMicros);
  expect(steady.length).toBeGreaterThanOrEqual(0.95 * 5_000_000 * PER_MICRO);
  const counts = TENANTS.map((name) => steady.filter(({ tenant }) => tenant === name).length);
  expect(Math.max(...counts) / Math.min(...counts)).toBeLessThanOrEqual(1.2);
});

test('Redis killed and back empty: shares meanwhile, shared again within five seconds', async () => {
  fleet = new BucketFleet(server.url);
  await fleet.allGrantedSince(nowMicros());

  const killedMicros = nowMicros();
  await server.kill();
  await fleet.allGrantedSince(killedMicros, 'local');
  const allLocalMicros = nowMicros();
  await fleet.until((grants) => grants.some((g) => g.atMicros > allLocalMicros + 2_000_000));

  await server.restart();
  const backMicros = nowMicros();
  await fleet.allGrantedSince(backMicros, 'shared');
  const allSharedMicros = nowMicros();
  await fleet.until((grants) => grants.some((g) => g.atMicros > allSharedMicros + 1_000_000));
  await fleet.stop();

  expect(allLocalMicros - killedMicros).toBeLessThan(2_000_000);
  expect(allSharedMicros - backMicros).toBeLessThan(5_000_000);

  // A process on its own takes a third of the rate, and all together never more than all of it.
  const alone = between(fleet.grants, allLocalMicros, backMicros);
  expect(alone.every(({ source }) => source === 'local')).toBe(true);
  expect(worstBurst(counted(alone), PER_MICRO)).toBeLessThanOrEqual(BURST + 0.001);
  expect(alone.length).toBeGreaterThanOrEqual(0.9 * (backMicros - allLocalMicros) * PER_MICRO);

  // Processes return one by one; until the last has, its share comes on top. Places booked before a switch stay valid.
  const overlapMicros = allSharedMicros - backMicros;
  const booked = 2 * TENANTS.length;
  const slack = (2 / 3) * overlapMicros * PER_MICRO + booked;
  expect(worstBurst(counted(fleet.grants), PER_MICRO)).toBeLessThanOrEqual(BURST + slack);
});
