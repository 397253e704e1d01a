import type { DatabasePool } from '@matsuri/database';
import type { LedgerEntry } from '@matsuri/local';
import type { Cluster } from './cluster';
import type {
  Evidence,
  LedgerRow,
  RedisKey,
  Settings,
  SpendCounter,
  StillOpen,
  UpstreamAttempt,
} from './evidence';
import { redisCommand } from './redis-command';

/** Gathers what a run left behind, from every place that keeps a record. */
export async function collectEvidence(
  cluster: Cluster,
  settings: Settings,
  stillOpen: readonly StillOpen[],
): Promise<Evidence> {
  return {
    settings,
    history: cluster.history.records,
    upstream: cluster.bedrock.ledger().map(upstreamAttempt),
    rows: await ledgerRows(cluster.pool),
    counters: await spendCounters(cluster.pool),
    redisKeys: await redisKeys(cluster.redis.url),
    transitions: cluster.logs.flatMap(({ transitions }) => transitions),
    logProblems: cluster.logs.flatMap(({ problems }) => problems),
    stillOpen,
  };
}

function upstreamAttempt({ usageSent, ...entry }: LedgerEntry): UpstreamAttempt {
  const { peerClosedAtMs, endedAtMs } = entry;
  return {
    attemptId: entry.attemptId,
    model: entry.model,
    region: entry.region,
    operation: entry.operation,
    script: entry.script,
    outcome: entry.outcome,
    startedAtMs: entry.startedAtMs,
    peerClosedAtMs,
    endedAtMs,
    inputTokens: entry.inputTokens,
    tokensEmitted: entry.tokensEmitted,
    text: entry.text,
    usageSent: usageSent && {
      inputTokens: usageSent.inputTokens,
      outputTokens: usageSent.outputTokens,
      cacheReadTokens: usageSent.cacheReadInputTokens,
      cacheWriteTokens: usageSent.cacheWriteInputTokens,
    },
  };
}

const ROWS = `
SELECT a.attempt_id AS "attemptId", a.request_id AS "requestId", a.tenant_id AS "tenantId",
       coalesce(t.spend_account_id::text, '') AS "accountId", a.status, a.outcome,
       a.reserved_micro_usd::float8 AS "reservedMoney", a.cost_micro_usd::float8 AS "costMoney",
       a.input_tokens::float8 AS "inputTokens", a.output_tokens::float8 AS "outputTokens",
       a.cache_read_tokens::float8 AS "cacheReadTokens", a.cache_write_tokens::float8 AS "cacheWriteTokens",
       a.spend_day::text AS "spendDay", extract(epoch FROM a.created_at)::float8 * 1000 AS "createdAtMs"
  FROM usage_attempts a LEFT JOIN api_tokens t ON t.id = a.token_id
 ORDER BY a.created_at
`;

/** The whole ledger. */
export function ledgerRows(pool: DatabasePool): Promise<LedgerRow[]> {
  return pool.query<LedgerRow & Record<string, unknown>>({ text: ROWS });
}

const COUNTERS = `
SELECT account_id::text AS "accountId", day::text AS day,
       day_spent_micro_usd::float8 AS "daySpentMoney", day_reserved_micro_usd::float8 AS "dayReservedMoney"
  FROM spend_counters
`;

function spendCounters(pool: DatabasePool): Promise<SpendCounter[]> {
  return pool.query<SpendCounter & Record<string, unknown>>({ text: COUNTERS });
}

const ALL_KEYS = `
local found = {}
for _, key in ipairs(redis.call('KEYS', '*')) do
  found[#found + 1] = key .. '\\t' .. redis.call('PTTL', key)
end
return table.concat(found, '\\n')
`;

async function redisKeys(url: string): Promise<RedisKey[]> {
  const listed = await redisCommand(url, 'EVAL', ALL_KEYS, '0');
  return listed
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [key = '', ttl] = line.split('\t');
      return { key, ttlMs: Number(ttl) };
    });
}
