import { DEFAULT_BOOKINGS, type Bucket, type BucketPolicy } from './bucket-port';
import { FailoverBucket } from './failover-bucket';
import { LocalBucket } from './local-bucket';
import { VirtualClock } from './testing';

// Ten a second for all; a tenth of that for each of ten processes.
const policy: BucketPolicy<'requests'> = {
  limits: { requests: { perMinute: 600, burst: 20 } },
  tenantLimits: () => ({ requests: { perMinute: 600, burst: 20 } }),
  ...DEFAULT_BOOKINGS,
};

function setUp() {
  const clock = new VirtualClock();
  const state = { up: true, asked: 0 };
  const shared: Bucket<'requests'> = {
    source: 'shared',
    settle: () => Promise.resolve(),
    cancel: () => Promise.resolve(),
    ask() {
      state.asked++;
      if (!state.up) return Promise.reject(new Error('connection lost'));
      return Promise.resolve({ kind: 'granted', waitMs: 0, grantedAtMicros: 0, bucket: shared });
    },
  };
  const local = new LocalBucket({ policy, sharers: 10, clock });
  const bucket = new FailoverBucket({ shared, local, clock, random: () => 0 });
  let ids = 0;
  const ask = () => bucket.ask({ id: `${ids++}`, tenant: 'a', amounts: { requests: 1 } }, 60_000);
  return { clock, state, bucket, ask };
}

type Rig = ReturnType<typeof setUp>;

/** Fails until the failover has decided; the answer is the first from the share. */
async function fail({ state, ask, bucket }: Rig) {
  state.up = false;
  for (let n = 0; n < 10; n++) {
    const answer = await ask();
    if (bucket.source === 'local') return answer;
  }
  throw new Error('the failover never decided');
}

/** The share's waits for so many, asked one by one. */
async function localWaits({ clock, ask }: Rig, count: number): Promise<number[]> {
  const waits: number[] = [];
  while (waits.length < count) {
    const answer = await ask();
    if (answer.kind === 'granted') waits.push(clock.nowMs() + answer.waitMs);
    else clock.jump(answer.waitMs);
  }
  return waits;
}

test('asks the shared bucket while it answers', async () => {
  const { ask, bucket, state } = setUp();
  expect(await ask()).toMatchObject({ kind: 'granted', bucket: { source: 'shared' } });
  expect([bucket.source, state.asked]).toEqual(['shared', 1]);
});

test('one failure is no switch: the caller asks again in a moment', async () => {
  const { ask, bucket, state } = setUp();
  for (let n = 0; n < 5; n++) await ask();
  state.up = false;
  expect(await ask()).toEqual({ kind: 'later', waitMs: 20 });
  state.up = true;
  expect((await ask()).kind).toBe('granted');
  expect(bucket.source).toBe('shared');
});

test('ten busy seconds of good answers do not delay the switch', async () => {
  const rig = setUp();
  for (let n = 0; n < 10_000; n++) {
    rig.clock.jump(1);
    await rig.ask();
  }
  rig.state.up = false;
  const downAtMs = rig.clock.nowMs();
  while (rig.bucket.source === 'shared') {
    rig.clock.jump(20);
    await rig.ask();
  }
  expect(rig.clock.nowMs() - downAtMs).toBeLessThanOrEqual(600);
});

test('down, a process takes its share of the maximum count, and starts it empty', async () => {
  const rig = setUp();
  await rig.ask();
  rig.clock.jump(60_000);
  expect(await fail(rig)).toMatchObject({ kind: 'granted', waitMs: 1_000 });
  const waits = await localWaits(rig, 3);
  expect(waits.map((atMs) => atMs - 60_000)).toEqual([2_000, 3_000, 4_000]);
});

test('down, the shared bucket is not asked by everyone', async () => {
  const rig = setUp();
  await fail(rig);
  const { asked } = rig.state;
  for (let n = 0; n < 100; n++) await rig.ask();
  expect(rig.state.asked).toBe(asked);
});

test('is back within five seconds of the shared bucket’s return, after any length of outage', async () => {
  for (const outageMs of [100, 3_000, 60_000, 600_000]) {
    const rig = setUp();
    await fail(rig);
    const pass = async (ms: number): Promise<void> => {
      for (let passed = 0; passed < ms && rig.bucket.source === 'local'; passed += 50) {
        rig.clock.jump(50);
        await rig.ask();
      }
    };
    await pass(outageMs);
    rig.state.up = true;
    const upAtMs = rig.clock.nowMs();
    await pass(10_000);
    expect(rig.bucket.source).toBe('shared');
    expect(rig.clock.nowMs() - upAtMs).toBeLessThanOrEqual(5_000);
  }
});

test('a second outage starts the share empty again', async () => {
  const rig = setUp();
  await fail(rig);
  rig.state.up = true;
  for (let n = 0; n < 20; n++) {
    rig.clock.jump(500);
    await rig.ask();
  }
  expect(rig.bucket.source).toBe('shared');
  rig.clock.jump(600_000);
  expect(await fail(rig)).toMatchObject({ kind: 'granted', waitMs: 1_000 });
});

test('the share of a request larger than itself is small, not nothing', async () => {
  const clock = new VirtualClock();
  const local = new LocalBucket({ policy, sharers: 100, clock });
  const demand = { id: '1', tenant: 'a', amounts: { requests: 1 } };
  expect(await local.ask(demand, Infinity)).toMatchObject({ kind: 'granted', waitMs: 2_000 });
});

test('tenants that have gone quiet are forgotten', async () => {
  const clock = new VirtualClock();
  const local = new LocalBucket({ policy, sharers: 1, clock });
  for (let n = 0; n < 10_000; n++) {
    await local.ask({ id: `${n}`, tenant: `t${n}`, amounts: { requests: 1 } }, Infinity);
    clock.jump(100);
  }
  expect(local.tenants).toBeLessThanOrEqual(1_000);
});
