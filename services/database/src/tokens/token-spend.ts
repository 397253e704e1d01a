import { and, eq, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { apiTokens, spendCounters } from '../schema';

export interface PeriodSpend {
  readonly spentMicroUsd: number;
  readonly reservedMicroUsd: number;
}

/** Money of a line of tokens in the current UTC day and month. */
export interface TokenSpend {
  readonly day: PeriodSpend;
  readonly month: PeriodSpend;
}

/** Reads the counters; those of a period that has passed read as zero. */
export async function readSpend(
  db: NodePgDatabase,
  tenantId: string,
  tokenId: string,
): Promise<TokenSpend | undefined> {
  const utcNow = sql`now() AT TIME ZONE 'UTC'`;
  const [row] = await db
    .select({
      counters: spendCounters,
      isToday: sql<boolean>`${spendCounters.day} >= (${utcNow})::date`,
      isThisMonth: sql<boolean>`${spendCounters.month} >= date_trunc('month', ${utcNow})::date`,
    })
    .from(apiTokens)
    .innerJoin(spendCounters, eq(spendCounters.accountId, apiTokens.spendAccountId))
    .where(and(eq(apiTokens.tenantId, tenantId), eq(apiTokens.id, tokenId)));
  if (row === undefined) return undefined;

  const { counters, isToday, isThisMonth } = row;
  const nothing = { spentMicroUsd: 0, reservedMicroUsd: 0 };
  return {
    day: isToday
      ? { spentMicroUsd: counters.daySpentMicroUsd, reservedMicroUsd: counters.dayReservedMicroUsd }
      : nothing,
    month: isThisMonth
      ? {
          spentMicroUsd: counters.monthSpentMicroUsd,
          reservedMicroUsd: counters.monthReservedMicroUsd,
        }
      : nothing,
  };
}
