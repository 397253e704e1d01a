import { startPostgres } from '@matsuri/local';
import type { RunningPostgres } from '@matsuri/local';
import { randomUUID } from 'node:crypto';
import { DatabaseUnavailableError } from '../src';
import { eventually } from './eventually';
import { aReservation, aSettlement, aTokenRequest } from './fixtures';
import { startLossyProxy } from './lossy-proxy';
import type { LossyProxy } from './lossy-proxy';
import { attemptRow, counters, setStage } from './stage';
import type { Stage } from './stage';

jest.setTimeout(30_000);

let server: RunningPostgres;
let stage: Stage;
let proxy: LossyProxy;
beforeAll(async () => {
  server = await startPostgres({ durable: false });
});
beforeEach(async () => {
  stage = await setStage(server);
  proxy = await startLossyProxy(stage.url);
});
afterEach(async () => {
  await stage.close();
  await proxy.close();
});
afterAll(() => server.close());

const aToken = async () => (await stage.tokens.create(aTokenRequest())).token.id;
async function killConnections(): Promise<number> {
  const killed = await stage.pool.query({
    text: `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()
              AND application_name = 'database-test'`,
  });
  return killed.length;
}

const rows = async () => {
  const [row] = await stage.pool.query<{ n: number }>({
    text: 'SELECT count(*)::int AS n FROM usage_attempts',
  });
  return row?.n;
};

test('a reservation whose answer is lost is asked for again and counted once', async () => {
  const tokenId = await aToken();
  const ledger = stage.openLedger({ url: proxy.url });
  await ledger.reserve(aReservation({ tokenId, reservedMicroUsd: 1 }));
  proxy.loseAnswers('ledger-reserve', 1);
  expect(await ledger.reserve(aReservation({ tokenId, reservedMicroUsd: 100 }))).toEqual({
    granted: true,
  });
  expect(proxy.answersLost()).toBe(1);
  expect(await rows()).toBe(2);
  expect(await counters(stage.pool, tokenId)).toMatchObject({ day_reserved: 101 });
});

test('a settlement whose answer is lost is asked for again and counted once', async () => {
  const tokenId = await aToken();
  const ledger = stage.openLedger({ url: proxy.url });
  const { attemptId } = aReservation();
  await ledger.reserve(aReservation({ attemptId, tokenId, reservedMicroUsd: 100 }));
  proxy.loseAnswers('ledger-settle', 1);
  // What it hears at last is that the lost one had arrived.
  expect(await ledger.settle(aSettlement({ attemptId, costMicroUsd: 60 }))).toBe('already-settled');
  expect(proxy.answersLost()).toBe(1);
  expect(await counters(stage.pool, tokenId)).toMatchObject({ day_reserved: 0, day_spent: 60 });
});

test('a reservation that was written but reported as failed is given back', async () => {
  const tokenId = await aToken();
  const ledger = stage.openLedger({ url: proxy.url, leaseMs: 400, strayAfterMs: 200 });
  const { attemptId } = aReservation();
  proxy.loseAnswers('ledger-reserve', 20);
  await expect(ledger.reserve(aReservation({ attemptId, tokenId }))).rejects.toThrow(
    DatabaseUnavailableError,
  );
  expect(await attemptRow(stage.pool, attemptId)).toMatchObject({ status: 'reserved' });
  proxy.loseAnswers('ledger-reserve', 0);
  await eventually(async () => {
    expect(await attemptRow(stage.pool, attemptId)).toEqual({
      status: 'settled',
      outcome: 'not-called',
      cost: 0,
    });
  });
  expect(await counters(stage.pool, tokenId)).toMatchObject({ day_used: 0 });
});

test('a process that ends gives back what was written but reported as failed, however young', async () => {
  const tokenId = await aToken();
  const ledger = stage.openLedger({ url: proxy.url });
  const { attemptId } = aReservation();
  proxy.loseAnswers('ledger-reserve', 20);
  await expect(ledger.reserve(aReservation({ attemptId, tokenId }))).rejects.toThrow(
    DatabaseUnavailableError,
  );
  expect(await attemptRow(stage.pool, attemptId)).toMatchObject({ status: 'reserved' });
  proxy.loseAnswers('ledger-reserve', 0);
  await ledger.close();
  expect(await attemptRow(stage.pool, attemptId)).toMatchObject({ outcome: 'not-called', cost: 0 });
  expect(await counters(stage.pool, tokenId)).toMatchObject({ day_used: 0 });
});

test('a reservation that becomes durable after its caller left is given back', async () => {
  const tokenId = await aToken();
  const ledger = stage.openLedger();
  const { attemptId } = aReservation();
  const freed = Promise.withResolvers<undefined>();
  const locked = Promise.withResolvers<undefined>();
  const holder = stage.pool.transaction(async (query) => {
    await query({ text: 'SELECT FROM spend_counters FOR UPDATE' });
    locked.resolve(undefined);
    await freed.promise;
  });
  await locked.promise;
  await expect(ledger.reserve(aReservation({ attemptId, tokenId }), 50)).rejects.toThrow(
    DatabaseUnavailableError,
  );
  freed.resolve(undefined);
  await holder;
  await eventually(async () => {
    expect(await attemptRow(stage.pool, attemptId)).toMatchObject({ outcome: 'not-called' });
  });
  expect(await counters(stage.pool, tokenId)).toMatchObject({ day_used: 0 });
});

test('connections killed again and again: every grant has one row, every settlement counts once', async () => {
  const tokenId = await aToken();
  const ledger = stage.openLedger();
  const granted: string[] = [];
  const done = new AbortController();
  const callers = Promise.all(
    Array.from({ length: 20 }, async () => {
      for (let n = 0; n < 25; n += 1) {
        const attemptId = randomUUID();
        const outcome = await ledger
          .reserve(aReservation({ attemptId, tokenId, reservedMicroUsd: 100 }))
          .catch((error: unknown) => error);
        if (outcome instanceof DatabaseUnavailableError) continue;
        granted.push(attemptId);
        await ledger.settle(aSettlement({ attemptId, costMicroUsd: 7 }));
      }
    }),
  ).finally(() => done.abort());

  let kills = 0;
  for (let seen = 0; !done.signal.aborted; seen = granted.length) {
    await eventually(() => expect(done.signal.aborted || granted.length > seen).toBe(true));
    kills += await killConnections();
  }
  await callers;

  await eventually(() =>
    expect(ledger.figures()).toMatchObject({ open: 0, settle: { waiting: 0 } }),
  );
  const [sum] = await stage.pool.query<{ n: number; cost: number }>({
    text: `SELECT count(*)::int AS n, sum(cost_micro_usd)::int AS cost
             FROM usage_attempts WHERE status = 'settled' AND attempt_id = ANY($1)`,
    values: [granted],
  });
  expect(kills).toBeGreaterThan(0);
  expect(sum).toEqual({ n: granted.length, cost: 7 * granted.length });
  expect(await counters(stage.pool, tokenId)).toMatchObject({ day_spent: 7 * granted.length });
});

test('stopped at once and started again: nobody is let through, nothing is forgotten, it recovers by itself', async () => {
  const tokenId = await aToken();
  const ledger = stage.openLedger();
  const { attemptId } = aReservation();
  await ledger.reserve(aReservation({ attemptId, tokenId, reservedMicroUsd: 100 }));

  await server.stopImmediately();
  const refused = await Promise.allSettled(
    Array.from({ length: 50 }, () => ledger.reserve(aReservation({ tokenId }))),
  );
  expect(refused.map(({ status }) => status)).toEqual(Array<string>(50).fill('rejected'));
  expect(await ledger.settle(aSettlement({ attemptId, costMicroUsd: 70 }), 50)).toBe('deferred');

  await server.restart();
  await eventually(async () => {
    expect(await attemptRow(stage.pool, attemptId)).toMatchObject({ status: 'settled', cost: 70 });
  });
  expect(
    await eventually(() => ledger.reserve(aReservation({ tokenId, reservedMicroUsd: 5 }))),
  ).toEqual({
    granted: true,
  });
  expect(await counters(stage.pool, tokenId)).toMatchObject({ day_spent: 70, day_reserved: 5 });
});

test('a server that falls silent fails its callers by their deadline', async () => {
  const ledger = stage.openLedger({ url: proxy.url });
  await ledger.reserve(aReservation());
  proxy.goSilent();
  const startedAtMs = performance.now();
  await expect(ledger.reserve(aReservation(), 100)).rejects.toMatchObject({ reason: 'deadline' });
  expect(performance.now() - startedAtMs).toBeLessThan(5_000);
  proxy.speakAgain();
  expect(await eventually(() => ledger.reserve(aReservation()))).toEqual({ granted: true });
});
