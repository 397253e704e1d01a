import { getEventListeners } from 'node:events';
import fc from 'fast-check';
import { Bulkhead, type BulkheadOptions, type Slot } from './bulkhead';
import type { BulkheadSettings, PressureChange } from './core';
import type { Scope } from './request-scope';
import { settled, VirtualClock } from './testing';

function setUp(settings: Partial<BulkheadSettings> = {}, options: Partial<BulkheadOptions> = {}) {
  const clock = new VirtualClock();
  const pool = new Bulkhead({
    name: 'opensearch',
    settings: { maxConcurrent: 2, maxQueued: 3, ...settings },
    clock,
    ...options,
  });
  const until = (deadlineAtMs: number): Scope => ({
    deadlineAtMs,
    signal: new AbortController().signal,
  });
  return { clock, pool, until };
}

test('never runs more than its limit, serves in order of arrival', async () => {
  const { pool } = setUp();
  const order: number[] = [];
  const gates = Array.from({ length: 5 }, () => Promise.withResolvers<undefined>());
  const runs = gates.map((gate, n) =>
    pool.run(async () => {
      order.push(n);
      await gate.promise;
    }),
  );
  await settled();
  expect(order).toEqual([0, 1]);
  for (const gate of gates) {
    gate.resolve(undefined);
    await settled();
  }
  await Promise.all(runs);
  expect(order).toEqual([0, 1, 2, 3, 4]);
  expect(pool.view()).toMatchObject({ inUse: 0, waiting: 0, acquires: 5 });
});

test('a full queue turns the next caller away at once', async () => {
  const { pool } = setUp();
  const taken = Array.from({ length: 5 }, () => pool.acquire());
  await expect(pool.acquire()).rejects.toMatchObject({ reason: 'queue-full', pool: 'opensearch' });
  expect(pool.view()).toMatchObject({ rejections: 1, waiting: 3 });
  for (const slot of taken) (await slot).release();
});

test('a caller leaves the queue at its deadline, and that is the exhaustion rate', async () => {
  const { clock, pool, until } = setUp();
  await pool.acquire();
  await pool.acquire();
  const outcome = pool.acquire(until(500)).catch((error: unknown) => error);
  await clock.advance(500);
  expect(await outcome).toMatchObject({ name: 'PoolExhaustedError', reason: 'timeout' });
  expect(pool.view()).toMatchObject({ acquireTimeouts: 1, exhaustionRate: 1 / 3, waiting: 0 });
  expect(clock.pendingTimers).toBe(0);
});

test('the pool’s own longest wait applies to callers without a deadline', async () => {
  const { clock, pool } = setUp({}, { maxWaitMs: 100 });
  await pool.acquire();
  await pool.acquire();
  const outcome = pool.acquire().catch((error: unknown) => error);
  await clock.advance(100);
  expect(await outcome).toMatchObject({ reason: 'timeout' });
});

test('a caller that aborts leaves the queue; the one behind moves up', async () => {
  const { clock, pool } = setUp({ maxConcurrent: 1 });
  const first = await pool.acquire();
  const caller = new AbortController();
  const second = pool.acquire({ deadlineAtMs: Infinity, signal: caller.signal });
  const third = pool.acquire();
  caller.abort(new Error('left'));
  await expect(second).rejects.toThrow('left');
  expect(getEventListeners(caller.signal, 'abort')).toHaveLength(0);
  first.release();
  (await third).release();
  expect(pool.view()).toMatchObject({ inUse: 0, waiting: 0, acquireTimeouts: 0 });
  expect(clock.pendingTimers).toBe(0);
});

test('a slot granted in the moment its caller aborts comes back', async () => {
  const { pool } = setUp({ maxConcurrent: 1 });
  const first = await pool.acquire();
  const caller = new AbortController();
  const second = pool.acquire({ deadlineAtMs: Infinity, signal: caller.signal });
  first.release();
  caller.abort(new Error('left'));
  await expect(second).rejects.toThrow('left');
  expect(pool.view().inUse).toBe(0);
});

test.each([
  ['returns', () => Promise.resolve()],
  ['rejects', () => Promise.reject(new Error('down'))],
  [
    'throws',
    (): Promise<void> => {
      throw new Error('at once');
    },
  ],
])('the slot comes back when the call %s', async (_, call) => {
  const { pool } = setUp();
  await pool.run(call).catch(() => undefined);
  expect(pool.view().inUse).toBe(0);
});

test('releasing twice frees one slot', async () => {
  const { pool } = setUp();
  const [first] = [await pool.acquire(), await pool.acquire()];
  first.release();
  first.release();
  expect(pool.view().inUse).toBe(1);
});

test('pressure is told once above 80 % and once when it is over', async () => {
  const told: PressureChange[] = [];
  const { pool } = setUp({ maxConcurrent: 10 }, { onPressure: (change) => told.push(change) });
  const slots: Slot[] = [];
  for (let n = 0; n < 8; n++) slots.push(await pool.acquire());
  expect(told).toEqual([]);
  slots.push(await pool.acquire());
  slots.pop()?.release();
  slots.push(await pool.acquire());
  expect(told).toEqual(['pressure']);
  while (slots.length > 7) slots.pop()?.release();
  expect(told).toEqual(['pressure', 'relieved']);
});

describe('with leases', () => {
  test('a slot that is neither renewed nor released goes to the next in line by itself', async () => {
    const { clock, pool } = setUp({ maxConcurrent: 1, leaseMs: 1_000 });
    const lost = await pool.acquire();
    const next = pool.acquire();
    await clock.advance(999);
    expect(pool.view().waiting).toBe(1);
    await clock.advance(1);
    const slot = await next;
    expect(lost.renew()).toBe(false);
    lost.release();
    expect(pool.view()).toMatchObject({ inUse: 1, expiredLeases: 1 });
    slot.release();
  });

  test('a renewed slot is kept', async () => {
    const { clock, pool } = setUp({ maxConcurrent: 1, leaseMs: 1_000 });
    const slot = await pool.acquire();
    for (let n = 0; n < 10; n++) {
      await clock.advance(999);
      expect(slot.renew()).toBe(true);
    }
    expect(pool.view()).toMatchObject({ inUse: 1, expiredLeases: 0 });
  });
});

test('whatever happens in whatever order, the limit holds and every slot comes back', async () => {
  const step = fc.record({
    kind: fc.constantFrom('acquire', 'release', 'abort', 'time'),
    pick: fc.nat(50),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const { clock, pool } = setUp({ maxConcurrent: 3, maxQueued: 5 });
      const callers: AbortController[] = [];
      const slots: Slot[] = [];
      for (const { kind, pick } of steps) {
        if (kind === 'acquire') {
          const caller = new AbortController();
          callers.push(caller);
          const scope = { deadlineAtMs: clock.nowMs() + pick * 10, signal: caller.signal };
          pool.acquire(scope).then(
            (slot) => slots.push(slot),
            () => undefined,
          );
        } else if (kind === 'release') slots.splice(pick % 5, 1)[0]?.release();
        else if (kind === 'abort') callers[pick % Math.max(1, callers.length)]?.abort();
        else await clock.advance(pick);
        await settled();
        const { inUse, waiting } = pool.view();
        expect(inUse).toBe(slots.length);
        expect(inUse).toBeLessThanOrEqual(3);
        if (waiting > 0) expect(inUse).toBe(3);
      }
      await clock.advance(1_000);
      for (let slot = slots.pop(); slot; slot = slots.pop()) slot.release();
      await settled();
      for (let slot = slots.pop(); slot; slot = slots.pop()) slot.release();
      expect(pool.view()).toMatchObject({ inUse: 0, waiting: 0 });
      expect(clock.pendingTimers).toBe(0);
    }),
    { numRuns: 100 },
  );
});
