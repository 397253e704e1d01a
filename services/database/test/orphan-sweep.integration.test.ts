import type { Ledger, SweepResult } from '../src';
import { aReservation, aSettlement, aTokenRequest, DOLLAR } from './fixtures';
import { eventually } from './eventually';
import { startReservingProcess } from './process/start';
import { attemptRow, counters, setStage } from './stage';
import type { Stage } from './stage';

let stage: Stage;
beforeEach(async () => {
  stage = await setStage();
});
afterEach(() => stage.close());

const LEASE_MS = 1_000;

jest.setTimeout(30_000);

/** Resolves when so many ledgers have given their first sign of life. */
const registered = (count: number) =>
  eventually(async () => {
    expect(await stage.pool.query({ text: 'SELECT FROM ledger_owners' })).toHaveLength(count);
  });

/** Sweeps as a process that has been beating for a day. */
async function sweepSteadily(sweeper: Ledger, olderThanMs = 0): Promise<SweepResult> {
  await stage.pool.query({
    text: `UPDATE ledger_owners SET beating_since = now() - interval '1 day' WHERE alive_until > now()`,
  });
  return sweeper.sweepOrphans(olderThanMs);
}

const aToken = async (dayCapMicroUsd: number | null = null) =>
  (await stage.tokens.create(aTokenRequest({ dayCapMicroUsd }))).token.id;

test('three processes reserve at once against one dollar, one is killed, its share is charged', async () => {
  const tokenId = await aToken(DOLLAR);
  const processes = await Promise.all(
    [1, 2, 3].map(() => startReservingProcess(stage.url, tokenId, 15, 30_000)),
  );
  expect(processes.map(({ granted }) => granted.length).reduce((a, b) => a + b)).toBe(33);
  expect(await counters(stage.pool, tokenId)).toMatchObject({ day_reserved: 990_000 });

  const [dead, ...alive] = processes.toSorted((a, b) => b.granted.length - a.granted.length);
  await dead?.kill();
  const sweeper = stage.openLedger({ leaseMs: LEASE_MS });
  await eventually(async () => {
    expect(await sweepSteadily(sweeper)).toEqual({ swept: dead?.granted.length });
  });

  const charged = (dead?.granted.length ?? 0) * 30_000;
  expect(await counters(stage.pool, tokenId)).toMatchObject({
    day_spent: charged,
    day_reserved: 990_000 - charged,
  });
  expect(await attemptRow(stage.pool, dead?.granted[0] ?? '')).toEqual({
    status: 'orphaned',
    outcome: 'owner-died',
    cost: 30_000,
  });
  expect(await sweeper.sweepOrphans(0)).toEqual({ swept: 0 });
  await Promise.all(alive.map((each) => each.kill()));
});

test('the stream of a live process is left alone, however old', async () => {
  const owner = stage.openLedger({ leaseMs: LEASE_MS });
  const sweeper = stage.openLedger({ leaseMs: LEASE_MS });
  await registered(2);
  const reservation = aReservation();
  await owner.reserve(reservation);
  await stage.pool.query({
    text: `UPDATE usage_attempts SET created_at = now() - interval '5 hours'`,
  });
  await eventually(async () => expect(await sweepSteadily(sweeper)).toEqual({ swept: 0 }));
  expect(await attemptRow(stage.pool, reservation.attemptId)).toMatchObject({ status: 'reserved' });
});

test('who was cut off itself does not judge others until it has been back for a lease', async () => {
  const sweeper = stage.openLedger({ leaseMs: 60_000 });
  await stage.openLedger().reserve(aReservation());
  await eventually(async () => {
    expect(await sweeper.sweepOrphans(0)).toEqual({ swept: 0, skipped: 'not-steady' });
  });
});

test('one sweep runs at a time', async () => {
  const sweeper = stage.openLedger({ leaseMs: LEASE_MS });
  const holding = Promise.withResolvers<undefined>();
  const locked = Promise.withResolvers<undefined>();
  const other = stage.pool.transaction(async (query) => {
    await query({ text: 'SELECT pg_advisory_xact_lock(7233118502)' });
    locked.resolve(undefined);
    await holding.promise;
  });
  await locked.promise;
  expect(await sweeper.sweepOrphans(0)).toEqual({ swept: 0, skipped: 'another-sweep-runs' });
  holding.resolve(undefined);
  await other;
});

test('young reservations are not looked at', async () => {
  const gone = stage.openLedger({ leaseMs: LEASE_MS });
  await gone.reserve(aReservation());
  await gone.close();
  const sweeper = stage.openLedger({ leaseMs: LEASE_MS });
  await eventually(async () => {
    expect(await sweepSteadily(sweeper, 3_600_000)).toEqual({ swept: 0 });
  });
});

test('an owner taken for dead that comes back replaces the estimate by the truth, once', async () => {
  const tokenId = await aToken();
  const owner = stage.openLedger({ leaseMs: 3_600_000 });
  await registered(1);
  const { attemptId } = aReservation();
  await owner.reserve(aReservation({ attemptId, tokenId, reservedMicroUsd: 100 }));
  await stage.pool.query({
    text: `UPDATE ledger_owners SET alive_until = now() - interval '1 hour'`,
  });
  const sweeper = stage.openLedger({ leaseMs: LEASE_MS });
  await eventually(async () => {
    expect(await sweepSteadily(sweeper)).toEqual({ swept: 1 });
  });
  expect(await counters(stage.pool, tokenId)).toMatchObject({ day_spent: 100, day_reserved: 0 });

  expect(await owner.settle(aSettlement({ attemptId, costMicroUsd: 30 }))).toBe('recorded');
  expect(await owner.settle(aSettlement({ attemptId, costMicroUsd: 31 }))).toBe('already-settled');
  expect(await counters(stage.pool, tokenId)).toMatchObject({
    day_spent: 30,
    day_reserved: 0,
    month_spent: 30,
  });
  expect(await attemptRow(stage.pool, attemptId)).toMatchObject({ status: 'settled', cost: 30 });
});

test('closing gives up the lease: what is left can be swept without waiting for it to lapse', async () => {
  const leaving = stage.openLedger({ leaseMs: 3_600_000 });
  await leaving.reserve(aReservation());
  await leaving.close();
  const sweeper = stage.openLedger({ leaseMs: LEASE_MS });
  await eventually(async () => {
    expect(await sweepSteadily(sweeper)).toEqual({ swept: 1 });
  });
});
