import { and, asc, eq, gte, isNotNull, lt, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { usageAttempts } from '../schema';
import type { UsageFilter, UsageGrouping, UsageSummaryQuery } from './usage-reports';

/** The statement behind a summary: at most `limit` groups, in the order of their keys. */
export function selectSummaries(db: NodePgDatabase, query: UsageSummaryQuery, limit: number) {
  const key = GROUP_KEYS[query.groupBy];
  const conditions = filterConditions(query);
  if (query.groupBy === 'token') conditions.push(isNotNull(usageAttempts.tokenId));
  if (query.after !== undefined) conditions.push(sql`${key} > ${query.after}`);
  return db
    .select({ key, ...SUMS })
    .from(usageAttempts)
    .where(and(...conditions))
    .groupBy(key)
    .orderBy(asc(key))
    .limit(limit);
}

// Text compared byte by byte: the same order on every server, and the one a cursor was made with.
const inByteOrder = (expression: SQL) => sql<string>`(${expression})::text COLLATE "C"`;

const GROUP_KEYS: Record<UsageGrouping, SQL<string>> = {
  user: inByteOrder(sql`${usageAttempts.userId}`),
  token: inByteOrder(sql`${usageAttempts.tokenId}`),
  model: inByteOrder(sql`${usageAttempts.servedModel}`),
  day: inByteOrder(sql`to_char(${usageAttempts.createdAt} AT TIME ZONE 'UTC', 'YYYY-MM-DD')`),
};

const total = (expression: SQL) => sql<string>`coalesce(sum(${expression}), 0)`.mapWith(Number);

const SUMS = {
  attempts: sql<string>`count(*) FILTER (WHERE ${usageAttempts.status} <> 'coalesced')`.mapWith(
    Number,
  ),
  coalesced: sql<string>`count(*) FILTER (WHERE ${usageAttempts.status} = 'coalesced')`.mapWith(
    Number,
  ),
  inputTokens: total(sql`${usageAttempts.inputTokens}`),
  outputTokens: total(sql`${usageAttempts.outputTokens}`),
  cacheReadTokens: total(sql`${usageAttempts.cacheReadTokens}`),
  cacheWriteTokens: total(sql`${usageAttempts.cacheWriteTokens}`),
  costMicroUsd: total(sql`${usageAttempts.costMicroUsd}`),
  openMicroUsd: total(
    sql`CASE WHEN ${usageAttempts.status} = 'reserved' THEN ${usageAttempts.reservedMicroUsd} END`,
  ),
};

function filterConditions(filter: UsageFilter): SQL[] {
  const conditions = [
    gte(usageAttempts.createdAt, filter.range.from),
    lt(usageAttempts.createdAt, filter.range.to),
  ];
  if (filter.tenantId !== null) conditions.push(eq(usageAttempts.tenantId, filter.tenantId));
  if (filter.userId !== undefined) conditions.push(eq(usageAttempts.userId, filter.userId));
  if (filter.tokenId !== undefined) conditions.push(eq(usageAttempts.tokenId, filter.tokenId));
  if (filter.model !== undefined) conditions.push(eq(usageAttempts.servedModel, filter.model));
  return conditions;
}
