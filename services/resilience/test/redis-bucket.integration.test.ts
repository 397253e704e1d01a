import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { requireRedis, startRedis, type RunningRedis } from '@matsuri/local';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { DEFAULT_BOOKINGS, LIMIT_REDIS_OPTIONS, RedisBucket, type BucketPolicy } from '../src';
import { BUCKET_SCRIPT } from '../src/adapters/bucket-script';
import { integersOf, RedisScript } from '../src/adapters/redis-script';
import { cancel, catchUp, openLedger, reserve, settle, type Ledger } from '../src/core/bucket';

jest.setTimeout(60_000);

type Dimension = 'requests' | 'tokens';

const policy: BucketPolicy<Dimension> = {
  limits: {
    requests: { perMinute: 600, burst: 5 },
    tokens: { perMinute: 600_000, burst: 10_000 },
  },
  tenantLimits: () => ({
    requests: { perMinute: 600, burst: 5 },
    tokens: { perMinute: 600_000, burst: 10_000 },
  }),
  ...DEFAULT_BOOKINGS,
};

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

function setUp(client: Redis = redis, commandTimeoutMs = 5_000) {
  const name = randomUUID();
  const keys = { group: `b:{${name}}`, tenant: (tenant: string) => `b:{${name}}:${tenant}` };
  const bucket = new RedisBucket({ redis: client, policy, keys, commandTimeoutMs });
  let ids = 0;
  const demandOf = (tenant: string, requests = 1, tokens = 0) => ({
    id: `${ids++}`,
    tenant,
    amounts: { requests, tokens },
  });
  const ask = (tenant: string, requests = 1, tokens = 0, maxWaitMs = 60_000) =>
    bucket.ask(demandOf(tenant, requests, tokens), maxWaitMs);
  return { bucket, keys, demandOf, ask };
}

test('a burst at once, then the wait until the next place', async () => {
  const { ask } = setUp();
  expect(await ask('a', 5)).toMatchObject({ kind: 'granted', waitMs: 0 });
  const next = await ask('b');
  expect(next.kind).toBe('granted');
  expect(next.waitMs).toBeGreaterThan(0);
  expect(next.waitMs).toBeLessThanOrEqual(100);
});

test('a refusal takes nothing from any dimension', async () => {
  const { ask } = setUp();
  await ask('a', 1, 10_000);
  expect((await ask('b', 4, 10_000, 0)).kind).toBe('refused');
  expect(await ask('b', 4)).toMatchObject({ kind: 'granted', waitMs: 0 });
});

test('a settlement gives unused tokens back', async () => {
  const { bucket, demandOf, ask } = setUp();
  const demand = demandOf('a', 1, 10_000);
  await bucket.ask(demand, 0);
  await bucket.settle(demand, { tokens: 100 });
  expect(await ask('b', 1, 9_000)).toMatchObject({ kind: 'granted', waitMs: 0 });
});

test('settlements of one tenant travel together, and ahead of the next question', async () => {
  const { bucket, demandOf, ask, keys } = setUp();
  const demands = [1, 2].map(() => demandOf('a', 1, 5_000));
  for (const demand of demands) await bucket.ask(demand, 0);
  const sent = jest.spyOn(redis, 'evalsha');
  const settled = demands.map((demand) => bucket.settle(demand, { tokens: 100 }));
  expect(sent).not.toHaveBeenCalled();
  expect(await ask('b', 1, 9_000, 0)).toMatchObject({ kind: 'granted', waitMs: 0 });
  await Promise.all(settled);
  expect(sent).toHaveBeenCalledTimes(1);
  expect(sent.mock.calls[0]).toEqual(
    expect.arrayContaining([keys.group, keys.tenant('a'), keys.tenant('b')]),
  );
  sent.mockRestore();
});

test('what is asked in one turn is one command, answered in order', async () => {
  const { ask } = setUp();
  const sent = jest.spyOn(redis, 'evalsha');
  const answers = await Promise.all(['a', 'b', 'c'].map((tenant) => ask(tenant, 2)));
  expect(sent).toHaveBeenCalledTimes(1);
  sent.mockRestore();
  expect(answers.map(({ kind }) => kind)).toEqual(['granted', 'granted', 'granted']);
  const waits = answers.map(({ waitMs }) => Math.ceil(waitMs));
  expect(waits).toEqual([0, 0, 100]);
});

test('a cancelled place is free again', async () => {
  const { bucket, demandOf, ask } = setUp();
  await ask('a', 5);
  const demand = demandOf('a', 5);
  expect((await bucket.ask(demand, 60_000)).kind).toBe('granted');
  await bucket.cancel(demand);
  expect((await ask('b')).waitMs).toBeLessThanOrEqual(100);
});

test('every key expires once its bucket would be full again', async () => {
  const { ask, keys } = setUp();
  await ask('a', 5, 10_000);
  for (const key of [keys.group, keys.tenant('a')]) {
    const ttlMs = await redis.pttl(key);
    expect(ttlMs).toBeGreaterThan(10_000);
    expect(ttlMs).toBeLessThanOrEqual(11_000);
  }
});

test('a flushed script is sent again, unseen by the caller', async () => {
  const { ask } = setUp();
  await ask('a');
  await redis.script('FLUSH');
  expect((await ask('a')).kind).toBe('granted');
});

test('a server that does not answer in time is a failure, not a wait', async () => {
  const { ask } = setUp(redis, 50);
  await ask('a');
  await server.pause();
  try {
    await expect(ask('a')).rejects.toMatchObject({ name: 'DeadlineExceededError' });
  } finally {
    await server.resume();
  }
});

test('a grant says how long the limit takes to be full again, over all who took from it', async () => {
  const { keys, ask } = setUp();
  const elsewhere = new RedisBucket({ redis, policy, keys, commandTimeoutMs: 5_000 });
  await elsewhere.ask({ id: 'x', tenant: 'b', amounts: { requests: 3, tokens: 6_000 } }, 0);
  const answer = await ask('a', 1, 1_000);
  const said = answer.kind === 'granted' ? answer.untilFullMs : undefined;
  const { requests = 0, tokens = 0 } = said ?? {};
  // 600 requests and 600,000 tokens a minute: 100 ms each, less what has come back in between.
  expect(requests).toBeLessThanOrEqual(400);
  expect(requests).toBeGreaterThan(100);
  expect(tokens).toBeLessThanOrEqual(700);
  expect(tokens).toBeGreaterThan(100);
});

test('a reply that is not what the script sends is an error', () => {
  expect(() => integersOf(['1', 2, 3], 3)).toThrow(TypeError);
  expect(() => integersOf([1, 2], 3)).toThrow(TypeError);
  expect(() => integersOf('OK', 3)).toThrow(TypeError);
});

test.each([
  ['no hash tag', 'b:x', 'b:x:a'],
  ['two hash tags', 'b:{x}', 'b:{y}:a'],
])('keys with %s are refused', (_, group, tenantKey) => {
  const keys = { group, tenant: () => tenantKey };
  expect(() => new RedisBucket({ redis, policy, keys })).toThrow(RangeError);
});

describe('a client that was cut off', () => {
  let client: Redis;

  beforeEach(async () => {
    client = new Redis(server.url, LIMIT_REDIS_OPTIONS);
    client.on('error', () => undefined);
    await once(client, 'ready');
  });
  afterEach(() => client.disconnect());

  test('finds a server that forgot everything empty, not full', async () => {
    const { ask } = setUp(client);
    expect(await ask('a', 5)).toMatchObject({ waitMs: 0 });
    const back = once(client, 'close').then(() => once(client, 'ready'));
    await server.restart();
    await back;
    const answer = await ask('a', 5);
    expect(answer.kind).toBe('granted');
    expect(answer.waitMs).toBeGreaterThan(400);
  });
});

describe('the script and the core', () => {
  const script = new RedisScript(BUCKET_SCRIPT);
  const groupBursts = [4_000, 9_000];
  const tenantBursts = [3_000, 9_000];
  const KINDS = ['done', 'granted', 'later', 'refused'];

  const step = fc.record({
    op: fc.constantFrom('reserve', 'reserve', 'reserve', 'settle', 'cancel'),
    tenant: fc.constantFrom('a', 'b', 'c'),
    costs: fc.tuple(fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: 0, max: 5_000 })),
    pick: fc.nat(20),
    maxWaitMicros: fc.constantFrom(0, 2_000, 1_000_000),
  });

  type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;
  interface Played {
    readonly op: Step['op'];
    readonly id: string;
    readonly tenant: string;
    readonly amounts: readonly number[];
    readonly maxWaitMicros: number;
  }
  const OPS = { reserve: 1, settle: 2, cancel: 3 };

  const run = (name: string, start: string, played: readonly Played[]): Promise<unknown> => {
    const tenants = [...new Set(played.map(({ tenant }) => tenant))];
    const args = played.flatMap(({ op, id, tenant, amounts, maxWaitMicros }) => {
      const place = 2 + tenants.indexOf(tenant);
      const numbers = [OPS[op], place, maxWaitMicros, ...amounts, ...amounts, ...tenantBursts];
      return [id, numbers.join(' ')];
    });
    const keys = [`d:{${name}}`, ...tenants.map((tenant) => `d:{${name}}:${tenant}`)];
    return script.run(redis, keys, [start, [2, 5, ...groupBursts].join(' '), ...args]);
  };

  /** Batches of operations by the script on the real server, then one by one by the core at the instants the script saw. */
  async function play(
    batches: readonly (readonly Step[])[],
    start: 'full' | 'drained',
  ): Promise<Set<string>> {
    const name = randomUUID();
    const ledgers = new Map<string, Ledger>();
    const ledgerOf = (key: string, bursts: readonly number[], now: number): Ledger => {
      const ledger = ledgers.get(key) ?? openLedger(bursts, start, now);
      ledgers.set(key, ledger);
      return ledger;
    };
    const given: { id: string; tenant: string; costs: readonly number[] }[] = [];
    const seen = new Set<string>();
    let ids = 0;
    for (const steps of batches) {
      const played = steps.flatMap(({ op, tenant, costs, pick, maxWaitMicros }): Played[] => {
        if (op === 'reserve')
          return [{ op, id: `${ids++}`, tenant, amounts: costs, maxWaitMicros }];
        const earlier = given[pick % Math.max(1, given.length)];
        if (!earlier) return [];
        const amounts = op === 'settle' ? costs.map((cost) => cost - 2_000) : earlier.costs;
        return [{ op, id: earlier.id, tenant: earlier.tenant, amounts, maxWaitMicros }];
      });
      if (played.length === 0) continue;
      const reply = await run(name, start, played);
      const [nowMicros = 0, ...answers] = integersOf(reply, 1 + 4 * played.length);

      const group = ledgerOf('', groupBursts, nowMicros);
      const now = catchUp(group, groupBursts, nowMicros);
      for (const [n, { op, id, tenant, amounts, maxWaitMicros }] of played.entries()) {
        const mine = ledgerOf(tenant, tenantBursts, nowMicros);
        catchUp(mine, tenantBursts, now);
        const groupCharge = { costs: amounts, bursts: groupBursts };
        const tenantCharge = { costs: amounts, bursts: tenantBursts };
        let expected = { kind: 'done', atMicros: now };
        if (op === 'reserve') {
          const limits = { maxWaitMicros, maxBookedPerTenant: 2, maxBooked: 5 };
          const ask = { id, group: groupCharge, tenant: tenantCharge, ...limits };
          expected = reserve(group, mine, ask, now);
          if (expected.kind === 'granted') given.push({ id, tenant, costs: amounts });
        } else if (op === 'settle') {
          settle(group, groupCharge, now);
          settle(mine, tenantCharge, now);
        } else {
          cancel(group, id, groupCharge, now);
          cancel(mine, id, tenantCharge, now);
        }
        const [code = 0, atMicros, ...untilFull] = answers.slice(4 * n, 4 * n + 4);
        expect({ kind: KINDS[code], atMicros }).toEqual(expected);
        expect(untilFull).toEqual(
          [0, 1].map((d) =>
            Math.max(0, ...[group, mine].map((ledger) => (ledger.fullAtMicros[d] ?? 0) - now)),
          ),
        );
        seen.add(expected.kind);
      }
    }
    return seen;
  }

  test('give the same answers to the same questions at the same instants', async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), {
          minLength: 10,
          maxLength: 40,
          size: 'max',
        }),
        fc.constantFrom<'full' | 'drained'>('full', 'drained'),
        async (batches, start) => {
          for (const kind of await play(batches, start)) seen.add(kind);
        },
      ),
      { numRuns: 150, interruptAfterTimeLimit: 30_000, markInterruptAsFailure: true },
    );
    expect([...seen].sort()).toEqual([...KINDS].sort());
  });

  test('agree that a server clock which fell back an hour starts empty', async () => {
    const { keys, ask } = setUp();
    const [seconds] = await redis.time();
    const ahead = (Number(seconds) + 3_600) * 1_000_000;
    await redis.eval(
      `return redis.call('SET', KEYS[1], cmsgpack.pack({ ${ahead}, { ${ahead}, ${ahead} }, {} }))`,
      1,
      keys.group,
    );
    const answer = await ask('a', 5);
    expect(answer.kind).toBe('granted');
    expect(answer.waitMs).toBe(500);
  });
});
