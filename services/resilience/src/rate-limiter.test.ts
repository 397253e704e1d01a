import { getEventListeners } from 'node:events';
import { worstBurst } from '../test/grant-intervals';
import { DEFAULT_BOOKINGS, type Bucket, type BucketPolicy } from './bucket-port';
import type { Limits } from './core';
import { LocalBucket } from './local-bucket';
import { RateLimiter, type ReserveResult } from './rate-limiter';
import type { Scope } from './request-scope';
import { sleep } from './sleep';
import { settled, VirtualClock } from './testing';

type Dimension = 'requests' | 'tokens';

// One request per 100 ms, five at once; tokens do not bind unless a test asks for many.
const LIMITS: Limits<Dimension> = {
  requests: { perMinute: 600, burst: 5 },
  tokens: { perMinute: 60_000, burst: 10_000 },
};

interface Choices {
  readonly tenantLimits?: Limits<Dimension>;
  readonly maxWaiting?: number;
  readonly wrap?: (bucket: Bucket<Dimension>) => Bucket<Dimension>;
}

/** A limiter on a full bucket that it has for itself. */
async function setUp({ tenantLimits = LIMITS, maxWaiting = 100, wrap = (it) => it }: Choices = {}) {
  const clock = new VirtualClock();
  const policy: BucketPolicy<Dimension> = {
    limits: LIMITS,
    tenantLimits: () => tenantLimits,
    ...DEFAULT_BOOKINGS,
  };
  const bucket = wrap(new LocalBucket({ policy, sharers: 1, clock }));
  let ids = 0;
  const errors: unknown[] = [];
  const limiter = new RateLimiter({
    bucket,
    policy,
    maxWaiting,
    newId: () => `${ids++}`,
    onSettleError: (error) => errors.push(error),
    clock,
  });
  await clock.advance(60_000);
  return { clock, limiter, bucket, errors };
}

const within = (clock: VirtualClock, ms: number): Scope => ({
  deadlineAtMs: clock.nowMs() + ms,
  signal: new AbortController().signal,
});

function grantOf<D extends string>(result: ReserveResult<D>) {
  if (result.kind !== 'granted') throw new Error(`refused: ${result.reason}`);
  return result.reservation;
}

async function takeAll(limiter: RateLimiter<Dimension>, tenant = 'a'): Promise<void> {
  for (let n = 0; n < 5; n++) grantOf(await limiter.reserve(tenant, { requests: 1 }));
}

test('a burst passes at once; the next wait their turn in order, then go', async () => {
  const { clock, limiter } = await setUp();
  await takeAll(limiter);
  const order: string[] = [];
  const waiting = ['first', 'second', 'third', 'fourth'].map(async (name) => {
    const { waitedMs } = grantOf(await limiter.reserve('a', { requests: 1 }));
    order.push(`${name} ${waitedMs}`);
  });
  await settled();
  expect(limiter.waiting).toBe(4);
  await clock.advance(1_000);
  await Promise.all(waiting);
  expect(order).toEqual(['first 100', 'second 200', 'third 300', 'fourth 400']);
  expect(limiter.waiting).toBe(0);
  expect(clock.pendingTimers).toBe(0);
});

test('a wait that does not fit the deadline is refused at once, with the true time', async () => {
  const { clock, limiter } = await setUp();
  await takeAll(limiter);
  const result = await limiter.reserve('a', { requests: 1 }, within(clock, 50));
  expect(result).toEqual({ kind: 'refused', reason: 'deadline', retryAfterMs: 100 });
  expect(clock.pendingTimers).toBe(0);
});

test('so is one whose place in the lane alone outlasts it', async () => {
  const { clock, limiter } = await setUp();
  await takeAll(limiter);
  const ahead = Array.from({ length: 10 }, () => limiter.reserve('a', { requests: 1 }));
  await settled();
  const result = await limiter.reserve('a', { requests: 1 }, within(clock, 500));
  expect(result).toMatchObject({ kind: 'refused', reason: 'deadline' });
  await clock.advance(2_000);
  await Promise.all(ahead);
});

test('what is larger than a full bucket is refused for good', async () => {
  const { limiter } = await setUp();
  expect(await limiter.reserve('a', { requests: 1, tokens: 10_001 })).toEqual({
    kind: 'refused',
    reason: 'too-large',
    retryAfterMs: Infinity,
  });
});

test('the queue is bounded', async () => {
  const { clock, limiter } = await setUp({ maxWaiting: 5 });
  await takeAll(limiter);
  const waiting = Array.from({ length: 5 }, () => limiter.reserve('a', { requests: 1 }));
  await settled();
  // Two hold a place already; the other three take at least three refills.
  expect(await limiter.reserve('b', { requests: 1 })).toEqual({
    kind: 'refused',
    reason: 'queue-full',
    retryAfterMs: 300,
  });
  await clock.advance(1_000);
  await Promise.all(waiting);
});

test('a caller who leaves gives its place to the next', async () => {
  const { clock, limiter } = await setUp();
  await takeAll(limiter);
  const caller = new AbortController();
  const leaver = limiter.reserve(
    'a',
    { requests: 1 },
    { deadlineAtMs: Infinity, signal: caller.signal },
  );
  await settled();
  caller.abort(new Error('left'));
  await expect(leaver).rejects.toThrow('left');
  const next = limiter.reserve('b', { requests: 1 });
  await clock.advance(100);
  expect(grantOf(await next).waitedMs).toBe(100);
  expect(getEventListeners(caller.signal, 'abort')).toHaveLength(0);
  expect(clock.pendingTimers).toBe(0);
});

test('a caller who leaves while the bucket is being asked gives the grant back', async () => {
  const gate = Promise.withResolvers<undefined>();
  const cancelled: string[] = [];
  const { limiter } = await setUp({
    wrap: (bucket) => {
      const slow: Bucket<Dimension> = {
        source: 'shared',
        settle: (demand, actual) => bucket.settle(demand, actual),
        async ask(demand, maxWaitMs) {
          await gate.promise;
          const answer = await bucket.ask(demand, maxWaitMs);
          return answer.kind === 'granted' ? { ...answer, bucket: slow } : answer;
        },
        cancel(demand) {
          cancelled.push(demand.id);
          return bucket.cancel(demand);
        },
      };
      return slow;
    },
  });
  const caller = new AbortController();
  const scope = { deadlineAtMs: Infinity, signal: caller.signal };
  const leaver = limiter.reserve('a', { requests: 1 }, scope);
  caller.abort(new Error('left'));
  await expect(leaver).rejects.toThrow('left');
  gate.resolve(undefined);
  await settled();
  expect(cancelled).toEqual(['0']);
});

test('settling below the reservation lets the next go at once; settling twice settles once', async () => {
  const { limiter } = await setUp();
  const big = grantOf(await limiter.reserve('a', { requests: 1, tokens: 10_000 }));
  big.settle({ tokens: 4_000 });
  big.settle({ tokens: 0 });
  big.cancel();
  const results = await Promise.all([
    limiter.reserve('b', { requests: 1, tokens: 6_000 }),
    limiter.reserve('c', { requests: 1, tokens: 1 }, { ...UNTIL_NOW }),
  ]);
  expect(results.map((result) => result.kind)).toEqual(['granted', 'refused']);
});

const UNTIL_NOW: Scope = { deadlineAtMs: 60_000.5, signal: new AbortController().signal };

test('a settlement that fails is told and hurts no one', async () => {
  const { limiter, errors } = await setUp({
    wrap: (bucket) => {
      const broken: Bucket<Dimension> = {
        source: 'shared',
        ask: async (demand, maxWaitMs) => {
          const answer = await bucket.ask(demand, maxWaitMs);
          return answer.kind === 'granted' ? { ...answer, bucket: broken } : answer;
        },
        settle: () => Promise.reject(new Error('no redis')),
        cancel: () => Promise.resolve(),
      };
      return broken;
    },
  });
  grantOf(await limiter.reserve('a', { requests: 1 })).settle({ tokens: 1 });
  await settled();
  expect(errors).toEqual([new Error('no redis')]);
});

test('a bucket that throws fails the request that asked, not the ones behind it', async () => {
  let asked = 0;
  const { limiter } = await setUp({
    wrap: (bucket) => ({
      source: 'shared',
      settle: (demand, actual) => bucket.settle(demand, actual),
      cancel: (demand) => bucket.cancel(demand),
      ask: (demand, maxWaitMs) =>
        asked++ === 0 ? Promise.reject(new Error('odd')) : bucket.ask(demand, maxWaitMs),
    }),
  });
  const [first, second] = [1, 2].map(() => limiter.reserve('a', { requests: 1 }));
  await expect(first).rejects.toThrow('odd');
  expect((await second)?.kind).toBe('granted');
});

test('a tenant at its own limit waits without keeping others from going', async () => {
  const tenantLimits = { ...LIMITS, requests: { perMinute: 60, burst: 1 } };
  const { clock, limiter } = await setUp({ tenantLimits });
  grantOf(await limiter.reserve('a', { requests: 1 }));
  const held = limiter.reserve('a', { requests: 1 });
  expect(grantOf(await limiter.reserve('b', { requests: 1 })).waitedMs).toBe(0);
  await clock.advance(1_000);
  expect(grantOf(await held).waitedMs).toBe(1_000);
});

/** Counts the questions that are out at the same time; they are answered when the test says so. */
async function watchQuestions() {
  const out: { readonly id: string; readonly answer: () => void }[] = [];
  const rig = await setUp({
    wrap: (bucket) => ({
      source: 'shared',
      settle: (demand, actual) => bucket.settle(demand, actual),
      cancel: (demand) => bucket.cancel(demand),
      ask(demand, maxWaitMs) {
        const { promise, resolve } = Promise.withResolvers<undefined>();
        out.push({ id: demand.id, answer: () => resolve(undefined) });
        return promise.then(() => bucket.ask(demand, maxWaitMs));
      },
    }),
  });
  const answerAll = async (): Promise<number> => {
    const now = out.splice(0);
    for (const { answer } of now) answer();
    await settled();
    return now.length;
  };
  return { ...rig, answerAll };
}

test('a crowd is asked for at once while there is room, one by one from the first wait on', async () => {
  const { clock, limiter, answerAll } = await watchQuestions();
  const crowd = Array.from({ length: 20 }, () => limiter.reserve('a', { requests: 1 }));
  await settled();
  expect(await answerAll()).toBe(20);
  expect(limiter.waiting).toBe(15);
  for (let n = 0; n < 30; n++) {
    await clock.advance(100);
    expect(await answerAll()).toBeLessThanOrEqual(1);
  }
  const order = (await Promise.all(crowd)).map((result) => grantOf(result).grantedAtMicros);
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  expect(clock.pendingTimers).toBe(0);
});

test('time that runs out during the question does not decide; the answer does', async () => {
  const { clock, limiter, answerAll } = await watchQuestions();
  const results = [1, 6].map((requests) =>
    limiter.reserve('a', { requests: requests - 1, tokens: 1 }, within(clock, 50)),
  );
  await clock.advance(5_000);
  await answerAll();
  expect((await Promise.all(results)).map(({ kind }) => kind)).toEqual(['granted', 'granted']);
  const late = limiter.reserve('a', { requests: 1 }, within(clock, 50));
  await clock.advance(60);
  await answerAll();
  expect((await late).kind).toBe('refused');
});

describe('processes that share a bucket, each an odd distance away, all saturating it', () => {
  const SECONDS = 20;

  /** Each `[process, tenant, callers]` keeps so many requests waiting at all times. */
  async function saturate(load: readonly (readonly [number, string, number])[]) {
    const clock = new VirtualClock();
    const policy: BucketPolicy<Dimension> = {
      limits: LIMITS,
      tenantLimits: () => LIMITS,
      ...DEFAULT_BOOKINGS,
    };
    const shared = new LocalBucket({ policy, sharers: 1, clock });
    const grants: { atMicros: number; amount: number; tenant: string }[] = [];
    let ids = 0;
    let asks = 0;
    const limiters = [1, 3, 7].map(
      (distanceMs) =>
        new RateLimiter<Dimension>({
          bucket: {
            source: 'shared',
            settle: (demand, actual) => shared.settle(demand, actual),
            cancel: (demand) => shared.cancel(demand),
            async ask(demand, maxWaitMs) {
              asks++;
              await sleep(distanceMs / 2, clock);
              const answer = await shared.ask(demand, maxWaitMs);
              await sleep(distanceMs / 2, clock);
              return answer;
            },
          },
          policy,
          maxWaiting: 1_000,
          newId: () => `${ids++}`,
          clock,
        }),
    );
    const endMs = SECONDS * 1_000;
    const caller = async (process: number, tenant: string): Promise<void> => {
      while (clock.nowMs() < endMs) {
        const result = await limiters[process]?.reserve(tenant, { requests: 1 });
        if (!result) throw new Error(`no process ${process}`);
        grants.push({ atMicros: grantOf(result).grantedAtMicros, amount: 1, tenant });
      }
    };
    const callers = load.flatMap(([process, tenant, count]) =>
      Array.from({ length: count }, () => caller(process, tenant)),
    );
    await clock.advance(endMs + 30_000);
    await Promise.all(callers);
    const inTime = grants.filter(({ atMicros }) => atMicros <= endMs * 1_000);
    const byTenant = Map.groupBy(inTime, ({ tenant }) => tenant);
    const counts = [...byTenant.values()].map((each) => each.length);
    return { grants, counts, total: inTime.length, asksPerGrant: asks / grants.length };
  }

  const even = [0, 1, 2].flatMap((process) =>
    ['a', 'b', 'c', 'd'].map((tenant) => [process, tenant, 3] as const),
  );
  const uneven = [
    [0, 'a', 30],
    [1, 'a', 30],
    [2, 'a', 30],
    [0, 'b', 1],
    [1, 'b', 1],
    [2, 'c', 2],
  ] as const;

  test.each([
    ['equal crowds', even],
    ['one tenant with thirty times the crowd', uneven],
  ])('%s: within rate and burst, hardly idle, fair', async (_, load) => {
    const { grants, counts, total, asksPerGrant } = await saturate(load);
    expect(worstBurst(grants, 600 / 60e6)).toBeLessThanOrEqual(5.001);
    expect(total).toBeGreaterThanOrEqual(0.95 * 10 * SECONDS);
    expect(Math.max(...counts) / Math.min(...counts)).toBeLessThanOrEqual(1.2);
    expect(asksPerGrant).toBeLessThan(4);
  });
});
