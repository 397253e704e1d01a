import type { Settlement } from './attempt';

/** A settlement as it travels; the sweep settles on behalf of the dead. */
export interface SettleItem extends Omit<Settlement, 'status' | 'outcome'> {
  readonly status: Settlement['status'] | 'orphaned';
  readonly outcome: Settlement['outcome'] | 'owner-died';
}

/** One row per item that changed nothing. */
export interface SettleRow {
  readonly ord: number;
  readonly verdict: 'already-settled' | 'unknown-attempt';
}

/**
 * Closes a batch of attempts and moves their money from reserved to spent, in one statement.
 *
 * Only an open attempt is closed, so a repetition changes nothing. One that was taken for orphaned may still be
 * settled by its owner, once: what the sweep charged is replaced by the truth. An attempt counts in the day and
 * month it was reserved in; if the counters have moved on to the next, there is nothing left to move there.
 *
 * That an ordinal lies in a range is always true, and makes the planner expect a handful of rows. It then looks them up by key
 * for good; told nothing, it expects a hundred, and a plan made while the table was small would read all of it.
 */
const SETTLE = `
WITH item AS MATERIALIZED (
  SELECT *
    FROM json_to_recordset($1::json) AS i(
      ord int, attempt_id uuid, status attempt_status, outcome text, cost bigint,
      input_tokens bigint, output_tokens bigint, cache_read_tokens bigint, cache_write_tokens bigint,
      client_disconnected boolean)
   WHERE i.ord BETWEEN 0 AND 1000000
), open AS MATERIALIZED (
  SELECT i.*, a.token_id, a.spend_day,
         CASE WHEN a.status = 'reserved' THEN a.reserved_micro_usd ELSE 0 END AS to_release,
         i.cost - a.cost_micro_usd AS to_spend
    FROM item i
    JOIN usage_attempts a ON a.attempt_id = i.attempt_id
   WHERE a.status IN ('reserved', 'orphaned')
   ORDER BY a.attempt_id
     FOR UPDATE OF a
), closed AS (
  UPDATE usage_attempts a
     SET status = o.status, outcome = o.outcome, cost_micro_usd = o.cost,
         input_tokens = o.input_tokens, output_tokens = o.output_tokens,
         cache_read_tokens = o.cache_read_tokens, cache_write_tokens = o.cache_write_tokens,
         client_disconnected = o.client_disconnected, settled_at = now()
    FROM open o
   WHERE a.attempt_id = o.attempt_id
), movement AS MATERIALIZED (
  SELECT t.spend_account_id AS account_id, o.spend_day,
         sum(o.to_release) AS to_release, sum(o.to_spend) AS to_spend
    FROM open o
    JOIN api_tokens t ON t.id = o.token_id
   GROUP BY t.spend_account_id, o.spend_day
), counter AS MATERIALIZED (
  SELECT c.account_id, c.day, c.month
    FROM spend_counters c
   WHERE c.account_id IN (SELECT account_id FROM movement)
   ORDER BY c.account_id
     FOR UPDATE
), change AS MATERIALIZED (
  SELECT c.account_id,
         coalesce(sum(m.to_release) FILTER (WHERE m.spend_day = c.day), 0)::bigint AS day_release,
         coalesce(sum(m.to_spend) FILTER (WHERE m.spend_day = c.day), 0)::bigint AS day_spend,
         coalesce(sum(m.to_release) FILTER (WHERE m.spend_day >= c.month), 0)::bigint AS month_release,
         coalesce(sum(m.to_spend) FILTER (WHERE m.spend_day >= c.month), 0)::bigint AS month_spend
    FROM counter c
    JOIN movement m ON m.account_id = c.account_id
   GROUP BY c.account_id
), counted AS (
  UPDATE spend_counters c
     SET day_reserved_micro_usd = c.day_reserved_micro_usd - d.day_release,
         day_spent_micro_usd = c.day_spent_micro_usd + d.day_spend,
         month_reserved_micro_usd = c.month_reserved_micro_usd - d.month_release,
         month_spent_micro_usd = c.month_spent_micro_usd + d.month_spend
    FROM change d
   WHERE c.account_id = d.account_id
)
SELECT i.ord,
       CASE WHEN EXISTS (SELECT FROM usage_attempts a WHERE a.attempt_id = i.attempt_id)
            THEN 'already-settled' ELSE 'unknown-attempt' END AS verdict
  FROM item i
 WHERE NOT EXISTS (SELECT FROM open o WHERE o.attempt_id = i.attempt_id)
`;

/** The statement for a batch in which no attempt comes twice; prepared once per connection. */
export function settleStatement(items: readonly SettleItem[]) {
  const rows = items.map((item, ord) => ({
    ord,
    attempt_id: item.attemptId,
    status: item.status,
    outcome: item.outcome,
    cost: item.costMicroUsd,
    input_tokens: item.inputTokens,
    output_tokens: item.outputTokens,
    cache_read_tokens: item.cacheReadTokens,
    cache_write_tokens: item.cacheWriteTokens,
    client_disconnected: item.clientDisconnected,
  }));
  return { name: 'ledger-settle', text: SETTLE, values: [JSON.stringify(rows)] };
}
