import type { LeaseItem, LeaseTable } from '../ports';
import { FencedError, Leadership } from './leadership';

const LEASE_MS = 30_000;

/** One item, as a server keeps it. */
function leaseInMemory() {
  let item: LeaseItem | undefined;
  const table: LeaseTable = {
    read: () => Promise.resolve(item),
    take(owner, seen) {
      if (JSON.stringify(seen) !== JSON.stringify(item)) return Promise.resolve(false);
      item = { owner, epoch: (item?.epoch ?? 0) + 1, beat: 0 };
      return Promise.resolve(true);
    },
    beat(owner, epoch) {
      if (item?.owner !== owner || item.epoch !== epoch) return Promise.resolve(false);
      item = { ...item, beat: item.beat + 1 };
      return Promise.resolve(true);
    },
    release(owner, epoch) {
      if (item?.owner === owner && item.epoch === epoch) item = { ...item, owner: '' };
      return Promise.resolve();
    },
  };
  return { table, item: () => item };
}

function cast() {
  const lease = leaseInMemory();
  let nowMs = 0;
  const member = (owner: string, table: LeaseTable = lease.table) =>
    new Leadership({ table, owner, leaseMs: LEASE_MS, time: { monotonicMs: () => nowMs } });
  return { ...lease, member, pass: (ms: number) => (nowMs += ms) };
}

test('the first to come is active, the other stands by', async () => {
  const { member } = cast();
  const [a, b] = [member('a'), member('b')];
  expect(await a.term()).toMatchObject({ epoch: 1 });
  expect(await b.term()).toBeUndefined();
  expect(await a.term()).toMatchObject({ epoch: 1 });
});

test('nobody takes over while the holder beats, however long', async () => {
  const { member, pass } = cast();
  const [a, b] = [member('a'), member('b')];
  for (let cycle = 0; cycle < 20; cycle += 1) {
    await a.term();
    expect(await b.term()).toBeUndefined();
    pass(10_000);
  }
});

test('a holder that is silent for the lease is succeeded under a new epoch', async () => {
  const { member, pass } = cast();
  const [a, b] = [member('a'), member('b')];
  await a.term();
  expect(await b.term()).toBeUndefined();
  pass(LEASE_MS - 1);
  expect(await b.term()).toBeUndefined();
  pass(1);
  expect(await b.term()).toMatchObject({ epoch: 2 });
  expect(await a.term()).toBeUndefined();
});

test('a released lease is taken at once', async () => {
  const { member } = cast();
  const [a, b] = [member('a'), member('b')];
  await a.term();
  await a.release();
  expect(await b.term()).toMatchObject({ epoch: 2 });
});

test('a holder counts itself out before anybody else may', async () => {
  const { member, pass } = cast();
  const a = member('a');
  const term = await a.term();
  await term?.confirm();
  pass(LEASE_MS * 0.7);
  await expect(term?.confirm()).rejects.toBeInstanceOf(FencedError);
});

test('a holder that was succeeded is told before its next effect', async () => {
  const { member, pass, table } = cast();
  const [a, b] = [member('a'), member('b')];
  const term = await a.term();
  await b.term();
  pass(LEASE_MS);
  await b.term();
  // Its own clock stood still, as that of a machine that was suspended.
  pass(-LEASE_MS);
  expect(await table.read()).toMatchObject({ owner: 'b', epoch: 2 });
  await expect(term?.confirm()).rejects.toBeInstanceOf(FencedError);
});

test('of two that see the same silence one takes over', async () => {
  const { member, pass } = cast();
  const [a, b, c] = [member('a'), member('b'), member('c')];
  await a.term();
  await Promise.all([b.term(), c.term()]);
  pass(LEASE_MS);
  const terms = await Promise.all([b.term(), c.term()]);
  expect(terms.filter((it) => it !== undefined)).toHaveLength(1);
});

test('a take whose answer was lost is found again', async () => {
  const { member, table, item } = cast();
  const lossy: LeaseTable = {
    ...table,
    async take(owner, seen) {
      await table.take(owner, seen);
      return false;
    },
  };
  expect(await member('a', lossy).term()).toMatchObject({ epoch: 1 });
  expect(item()).toMatchObject({ owner: 'a' });
});
