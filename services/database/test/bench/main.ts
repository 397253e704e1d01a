import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { freshDatabase, startPostgres } from '@matsuri/local';
import { createApiTokenRepository, createLedger, createPool, migrate } from '../../src';
import type { DatabasePool, Ledger } from '../../src';
import { aPepperRing, aReservation, aSettlement, aTokenRequest } from '../fixtures';

// What one attempt costs the ledger: reserved, then settled, both durable. Prints flat JSON.

const WARM_UP_MS = 2_000;
const RUN_MS = 6_000;
const TOKENS = 50;
const ARRIVALS_PER_S = [500, 2_000];
const MOST_CALLERS = 256;

async function main(): Promise<void> {
  const server = await startPostgres({ durable: true });
  try {
    const database = await freshDatabase(server.url);
    await migrate(database.url);
    const figures: Record<string, number> = {};
    for (const rate of ARRIVALS_PER_S) {
      Object.assign(figures, await measure(database.url, `at_${rate}_per_s`, arrivals(rate)));
    }
    Object.assign(figures, await measure(database.url, 'saturated', callers(MOST_CALLERS)));
    process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
    await database.close();
  } finally {
    await server.close();
  }
}

interface Load {
  /** Resolves with how long each reservation took. */
  run(attempt: () => Promise<number>, forMs: number): Promise<number[]>;
  /** Keeps time by waking up, which costs something too. */
  readonly paced: boolean;
}

async function measure(url: string, label: string, load: Load): Promise<Record<string, number>> {
  const pool = createPool({ url, applicationName: 'bench', maxConnections: 3 });
  const ledger = createLedger({ pool });
  const attempt = await attempts(pool, ledger);

  const pacing = load.paced ? await cpuOf(() => load.run(() => Promise.resolve(0), RUN_MS)) : idle;
  await load.run(attempt, WARM_UP_MS);
  const before = ledger.figures().reserve;
  const { micros, result } = await cpuOf(() => load.run(attempt, RUN_MS));
  const after = ledger.figures().reserve;
  await ledger.close();
  await pool.close();

  const sorted = result.toSorted((a, b) => a - b);
  const percentile = (share: number): number =>
    round(sorted[Math.floor(sorted.length * share)] ?? 0, 2);
  return {
    [`${label}_attempts_per_s`]: round((sorted.length * 1000) / RUN_MS, 0),
    [`${label}_cpu_us_per_attempt`]: round((micros - pacing.micros) / sorted.length, 0),
    [`${label}_reserve_p50_ms`]: percentile(0.5),
    [`${label}_reserve_p99_ms`]: percentile(0.99),
    [`${label}_mean_batch`]: round(
      (after.items - before.items) / (after.batches - before.batches),
      1,
    ),
  };
}

const idle = { micros: 0 };

async function cpuOf<T>(work: () => Promise<T>): Promise<{ micros: number; result: T }> {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return { micros: user + system, result };
}

/** Makes one attempt of a random token; resolves with how long its reservation took. */
async function attempts(pool: DatabasePool, ledger: Ledger): Promise<() => Promise<number>> {
  const tokens = createApiTokenRepository(pool, aPepperRing());
  const issued = await Promise.all(
    Array.from({ length: TOKENS }, () => tokens.create(aTokenRequest())),
  );
  return async () => {
    const attemptId = randomUUID();
    const tokenId = issued[Math.floor(Math.random() * TOKENS)]?.token.id ?? null;
    const startedAtMs = performance.now();
    await ledger.reserve(aReservation({ attemptId, tokenId }));
    const tookMs = performance.now() - startedAtMs;
    await ledger.settle(aSettlement({ attemptId }));
    return tookMs;
  };
}

/** Open loop: attempts arrive at a rate, whether or not those before them have ended. */
function arrivals(perSecond: number): Load {
  return {
    paced: true,
    async run(attempt, forMs) {
      const started: Promise<number>[] = [];
      const startMs = performance.now();
      for (let nowMs = startMs; nowMs - startMs < forMs; nowMs = performance.now()) {
        const due = ((nowMs - startMs) * perSecond) / 1000;
        while (started.length < due) started.push(attempt());
        await setTimeout(1);
      }
      return Promise.all(started);
    },
  };
}

/** Closed loop: so many callers, each beginning anew when it has ended. */
function callers(count: number): Load {
  return {
    paced: false,
    async run(attempt, forMs) {
      const latenciesMs: number[] = [];
      const endMs = performance.now() + forMs;
      const caller = async (): Promise<void> => {
        while (performance.now() < endMs) latenciesMs.push(await attempt());
      };
      await Promise.all(Array.from({ length: count }, caller));
      return latenciesMs;
    },
  };
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : 'failed'}\n`);
  process.exitCode = 1;
});
