import { randomUUID } from 'node:crypto';
import { DatabaseUnavailableError, LedgerInputError } from '../src';
import type { Ledger, ReserveOutcome } from '../src';
import { aReservation, aSettlement, aTokenRequest, DOLLAR } from './fixtures';
import { attemptRow, counters, setStage } from './stage';
import type { Stage } from './stage';

let stage: Stage;
let ledger: Ledger;
beforeAll(async () => {
  stage = await setStage();
  ledger = stage.openLedger();
});
afterAll(() => stage.close());

const aToken = async (caps: { dayCapMicroUsd?: number; monthCapMicroUsd?: number } = {}) =>
  (await stage.tokens.create(aTokenRequest(caps))).token;

const grants = (outcomes: readonly ReserveOutcome[]) =>
  outcomes.filter(({ granted }) => granted).length;

describe('a spend cap', () => {
  test('holds for 200 parallel calls over four ledgers, to the micro-dollar', async () => {
    const { id } = await aToken({ dayCapMicroUsd: DOLLAR });
    const ledgers = Array.from({ length: 4 }, () => stage.openLedger());
    const outcomes = await Promise.all(
      ledgers.flatMap((each) =>
        Array.from({ length: 50 }, () =>
          each.reserve(aReservation({ tokenId: id, reservedMicroUsd: 30_000 })),
        ),
      ),
    );
    // 33 × 0.03 dollars fit into one dollar, 34 do not.
    expect(grants(outcomes)).toBe(33);
    expect(await counters(stage.pool, id)).toMatchObject({
      day_used: 990_000,
      month_reserved: 990_000,
    });
  });

  test('refusals name the cap in the way and when it starts anew', async () => {
    const { id } = await aToken({ dayCapMicroUsd: 100, monthCapMicroUsd: 150 });
    const reserve = (reservedMicroUsd: number) =>
      ledger.reserve(aReservation({ tokenId: id, reservedMicroUsd }));
    expect(await reserve(90)).toEqual({ granted: true });

    const now = new Date();
    const tomorrow = new Date(
      Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1),
    );
    const nextMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
    expect(await reserve(20)).toEqual({
      granted: false,
      refused: 'spend-cap',
      cap: 'day',
      resetsAt: tomorrow,
    });
    expect(await reserve(70)).toMatchObject({ cap: 'month', resetsAt: nextMonth });
  });

  test('a request that does not fit stands in nobody else’s way', async () => {
    const { id } = await aToken({ dayCapMicroUsd: 100 });
    const amounts = [60, 50, 30, 20, 10];
    const outcomes = await Promise.all(
      amounts.map((reservedMicroUsd) =>
        ledger.reserve(aReservation({ tokenId: id, reservedMicroUsd })),
      ),
    );
    expect(outcomes.map(({ granted }) => granted)).toEqual([true, false, true, false, true]);
    expect(await counters(stage.pool, id)).toMatchObject({ day_reserved: 100 });
  });

  test('what a settled attempt did not need can be spent again', async () => {
    const { id } = await aToken({ dayCapMicroUsd: 100 });
    const first = aReservation({ tokenId: id, reservedMicroUsd: 100 });
    await ledger.reserve(first);
    expect(grants([await ledger.reserve(aReservation({ tokenId: id, reservedMicroUsd: 1 }))])).toBe(
      0,
    );
    await ledger.settle(aSettlement({ attemptId: first.attemptId, costMicroUsd: 40 }));
    expect(
      grants([await ledger.reserve(aReservation({ tokenId: id, reservedMicroUsd: 60 }))]),
    ).toBe(1);
  });

  test('a rotated token goes on spending from the same purse', async () => {
    const { id, tenantId } = await aToken({ dayCapMicroUsd: 100 });
    await ledger.reserve(aReservation({ tokenId: id, reservedMicroUsd: 80 }));
    const rotated = await stage.tokens.rotate(tenantId, id, 60_000);
    if (rotated.kind !== 'rotated') throw new Error(rotated.kind);
    const successor = rotated.token.id;
    expect(
      await ledger.reserve(aReservation({ tokenId: successor, reservedMicroUsd: 30 })),
    ).toMatchObject({
      refused: 'spend-cap',
    });
    expect(
      grants([await ledger.reserve(aReservation({ tokenId: successor, reservedMicroUsd: 20 }))]),
    ).toBe(1);
  });

  test('a new day begins at zero, a month goes on; the late settlement of yesterday leaves today alone', async () => {
    const { id } = await aToken({ dayCapMicroUsd: 100 });
    const yesterday = aReservation({ tokenId: id, reservedMicroUsd: 100 });
    await ledger.reserve(yesterday);
    await stage.pool.query({
      text: `UPDATE spend_counters SET day = day - 1, month = date_trunc('month', day - 1) WHERE account_id = $1`,
      values: [id],
    });
    await stage.pool.query({
      text: 'UPDATE usage_attempts SET spend_day = spend_day - 1 WHERE attempt_id = $1',
      values: [yesterday.attemptId],
    });
    expect(
      grants([await ledger.reserve(aReservation({ tokenId: id, reservedMicroUsd: 70 }))]),
    ).toBe(1);
    await ledger.settle(aSettlement({ attemptId: yesterday.attemptId, costMicroUsd: 90 }));
    expect(await counters(stage.pool, id)).toMatchObject({ day_reserved: 70, day_spent: 0 });
  });
});

describe('a token that does not work', () => {
  test.each(['revoked', 'unknown'])('%s: nothing is reserved', async (kind) => {
    const { id, tenantId } = await aToken();
    if (kind === 'revoked') await stage.tokens.revoke(tenantId, id);
    const reservation = aReservation({ tokenId: kind === 'revoked' ? id : randomUUID() });
    expect(await ledger.reserve(reservation)).toEqual({
      granted: false,
      refused: 'token-inactive',
    });
    expect(await attemptRow(stage.pool, reservation.attemptId)).toBeUndefined();
  });
});

describe('settling', () => {
  test('moves reserved to spent, once, however often it is told', async () => {
    const { id } = await aToken();
    const reservation = aReservation({ tokenId: id, reservedMicroUsd: 100 });
    await ledger.reserve(reservation);
    expect(await counters(stage.pool, id)).toMatchObject({ day_reserved: 100, day_spent: 0 });

    const { attemptId } = reservation;
    const both = await Promise.all([
      ledger.settle(aSettlement({ attemptId, costMicroUsd: 40 })),
      ledger.settle(aSettlement({ attemptId, costMicroUsd: 41 })),
    ]);
    expect(both).toEqual(['recorded', 'already-settled']);
    expect(await ledger.settle(aSettlement({ attemptId, costMicroUsd: 42 }))).toBe(
      'already-settled',
    );
    expect(await counters(stage.pool, id)).toEqual({
      day_used: 40,
      day_reserved: 0,
      day_spent: 40,
      month_reserved: 0,
      month_spent: 40,
    });
  });

  test('records every figure of the attempt', async () => {
    const reservation = aReservation();
    await ledger.reserve(reservation);
    await ledger.settle(
      aSettlement({
        attemptId: reservation.attemptId,
        status: 'estimated',
        outcome: 'client-gone',
        costMicroUsd: 5,
        inputTokens: 1,
        outputTokens: 2,
        cacheReadTokens: 3,
        cacheWriteTokens: 4,
        clientDisconnected: true,
      }),
    );
    const [row] = await stage.pool.query({
      text: 'SELECT * FROM usage_attempts WHERE attempt_id = $1',
      values: [reservation.attemptId],
    });
    expect(row).toMatchObject({
      request_id: reservation.requestId,
      requested_model: 'simple',
      served_model: 'model-a',
      region: 'ap-northeast-1',
      target: 'on-demand',
      status: 'estimated',
      outcome: 'client-gone',
      cost_micro_usd: '5',
      input_tokens: '1',
      output_tokens: '2',
      cache_read_tokens: '3',
      cache_write_tokens: '4',
      client_disconnected: true,
    });
  });

  test('an attempt nobody reserved is unknown', async () => {
    expect(await ledger.settle(aSettlement({ attemptId: randomUUID() }))).toBe('unknown-attempt');
  });

  test('parallel batches of several processes over the same tokens end, and the sums agree', async () => {
    const tokens = await Promise.all(Array.from({ length: 6 }, () => aToken()));
    const ledgers = Array.from({ length: 3 }, () => stage.openLedger());
    await Promise.all(
      Array.from({ length: 600 }, async (_, n) => {
        const attemptId = randomUUID();
        const writer = ledgers[n % 3];
        await writer?.reserve(
          aReservation({ attemptId, tokenId: tokens[(n * 7) % 6]?.id ?? null }),
        );
        await writer?.settle(aSettlement({ attemptId, costMicroUsd: n }));
      }),
    );
    for (const { id } of tokens) {
      const [sum] = await stage.pool.query<{ cost: number }>({
        text: 'SELECT sum(cost_micro_usd)::int AS cost FROM usage_attempts WHERE token_id = $1',
        values: [id],
      });
      expect(await counters(stage.pool, id)).toMatchObject({
        day_reserved: 0,
        day_spent: sum?.cost,
      });
    }
  });
});

describe('what cannot be written', () => {
  test('is refused before it joins a batch', async () => {
    await expect(ledger.reserve(aReservation({ requestId: 'a\0b' }))).rejects.toThrow(
      LedgerInputError,
    );
    await expect(ledger.reserve(aReservation({ reservedMicroUsd: -1 }))).rejects.toThrow(
      LedgerInputError,
    );
  });

  test('fails alone when only the server can tell', async () => {
    const [bad, good] = [aReservation({ tokenId: 'no uuid' }), aReservation()];
    const [refused, granted] = await Promise.allSettled([
      ledger.reserve(bad),
      ledger.reserve(good),
    ]);
    expect(refused).toMatchObject({
      status: 'rejected',
      reason: expect.any(LedgerInputError) as unknown,
    });
    expect(granted).toEqual({ status: 'fulfilled', value: { granted: true } });
  });

  test('an attempt id cannot be taken twice', async () => {
    const { attemptId } = aReservation();
    await ledger.reserve(aReservation({ attemptId }));
    await expect(ledger.reserve(aReservation({ attemptId }))).rejects.toThrow(LedgerInputError);
    await expect(stage.openLedger().reserve(aReservation({ attemptId }))).rejects.toThrow(
      LedgerInputError,
    );
  });
});

test('a coalesced request costs nothing and is never refused', async () => {
  const { id } = await aToken({ dayCapMicroUsd: 0 });
  const request = aReservation({ tokenId: id });
  await ledger.recordCoalesced(request);
  expect(await attemptRow(stage.pool, request.attemptId)).toEqual({
    status: 'coalesced',
    outcome: 'coalesced',
    cost: 0,
  });
});

test('holds no more open attempts than it may', async () => {
  const small = stage.openLedger({ maxOpen: 1 });
  const { attemptId } = aReservation();
  await small.reserve(aReservation({ attemptId }));
  await expect(small.reserve(aReservation())).rejects.toThrow(DatabaseUnavailableError);
  await small.settle(aSettlement({ attemptId }));
  expect(await small.reserve(aReservation())).toEqual({ granted: true });
});

test('batches share round trips: a burst of 100 takes a handful of statements', async () => {
  const bursting = stage.openLedger();
  await Promise.all(Array.from({ length: 100 }, () => bursting.reserve(aReservation())));
  expect(bursting.figures().reserve).toMatchObject({ items: 100 });
  expect(bursting.figures().reserve.batches).toBeLessThanOrEqual(3);
});
