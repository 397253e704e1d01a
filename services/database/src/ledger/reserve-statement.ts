import type { Reservation } from './attempt';

/** A reservation as it travels: `coalesced` ones cost nothing and are settled at birth. */
export interface ReserveItem {
  readonly reservation: Reservation;
  readonly status: 'reserved' | 'coalesced';
}

/** One row per item that was not granted. */
export interface ReserveRow {
  readonly ord: number;
  readonly verdict: 'refused' | 'token-inactive' | 'duplicate';
  /** Of a refusal: the cap in the way, or `again`: it fits, now that others of its batch were refused. */
  readonly cap: 'day' | 'month' | 'again';
  /** The UTC day it was judged in. */
  readonly day: string;
}

/**
 * Judges, counts and records a batch in one statement, hence one transaction and one round trip.
 *
 * Counters are locked in the order of their ids, so that batches of several processes never wait for each other in a
 * circle, and are read as they are once locked. Within a batch the requests of an account are admitted in order while they
 * fit. An attempt that is there already, of ours, is one whose answer got lost: granted, counted once. The insert is
 * plain on purpose: if the lost one commits beneath us, the key's violation undoes the whole batch, counters too. The range of
 * ordinals is for the planner, as in the statement that settles.
 */
const RESERVE = `
WITH item AS MATERIALIZED (
  SELECT i.*, (now() AT TIME ZONE 'UTC')::date AS current_day
    FROM json_to_recordset($1::json) AS i(
      ord int, attempt_id uuid, request_id text, tenant_id text, user_id text, token_id uuid,
      requested_model text, served_model text, region text, target text,
      status attempt_status, reserved bigint)
   WHERE i.ord BETWEEN 0 AND 1000000
), token AS MATERIALIZED (
  SELECT t.id, t.spend_account_id AS account_id,
         t.day_cap_micro_usd AS day_cap, t.month_cap_micro_usd AS month_cap
    FROM api_tokens t
   WHERE t.id IN (SELECT token_id FROM item)
     AND t.revoked_at IS NULL
     AND (t.expires_at IS NULL OR t.expires_at > now())
     AND (t.overlap_until IS NULL OR t.overlap_until > now())
), counter AS MATERIALIZED (
  SELECT c.account_id,
         greatest(c.day, today.day) AS day,
         CASE WHEN c.day < today.day THEN 0
              ELSE c.day_spent_micro_usd + c.day_reserved_micro_usd END AS day_used,
         CASE WHEN c.month < today.month THEN 0
              ELSE c.month_spent_micro_usd + c.month_reserved_micro_usd END AS month_used
    FROM spend_counters c,
         (SELECT (now() AT TIME ZONE 'UTC')::date AS day,
                 date_trunc('month', now() AT TIME ZONE 'UTC')::date AS month) AS today
   WHERE c.account_id IN (SELECT account_id FROM token)
   ORDER BY c.account_id
     FOR UPDATE OF c
), candidate AS MATERIALIZED (
  SELECT i.*, c.account_id, t.day_cap, t.month_cap, c.day_used, c.month_used,
         coalesce(c.day, i.current_day) AS day,
         (SELECT a.owner_id = $2::uuid AND a.status IN ('reserved', 'coalesced')
            FROM usage_attempts a WHERE a.attempt_id = i.attempt_id) AS known
    FROM item i
    LEFT JOIN token t ON t.id = i.token_id
    LEFT JOIN counter c ON c.account_id = t.account_id
), queued AS (
  SELECT *, sum(CASE WHEN known IS NULL THEN reserved ELSE 0 END)
              OVER (PARTITION BY account_id ORDER BY ord) AS running
    FROM candidate
), judged AS MATERIALIZED (
  SELECT *, CASE
           WHEN known THEN 'known'
           WHEN NOT known THEN 'duplicate'
           WHEN token_id IS NULL OR status = 'coalesced' THEN 'granted'
           WHEN account_id IS NULL THEN 'token-inactive'
           WHEN (day_cap IS NULL OR day_used + running <= day_cap)
            AND (month_cap IS NULL OR month_used + running <= month_cap) THEN 'granted'
           ELSE 'refused'
         END AS verdict
    FROM queued
), admitted AS MATERIALIZED (
  SELECT account_id, day, date_trunc('month', day)::date AS month, sum(reserved)::bigint AS total
    FROM judged
   WHERE verdict = 'granted' AND account_id IS NOT NULL
   GROUP BY account_id, day
), counted AS (
  UPDATE spend_counters c
     SET day = a.day,
         day_spent_micro_usd = CASE WHEN c.day < a.day THEN 0 ELSE c.day_spent_micro_usd END,
         day_reserved_micro_usd =
           CASE WHEN c.day < a.day THEN 0 ELSE c.day_reserved_micro_usd END + a.total,
         month = greatest(c.month, a.month),
         month_spent_micro_usd = CASE WHEN c.month < a.month THEN 0 ELSE c.month_spent_micro_usd END,
         month_reserved_micro_usd =
           CASE WHEN c.month < a.month THEN 0 ELSE c.month_reserved_micro_usd END + a.total
    FROM admitted a
   WHERE c.account_id = a.account_id
), recorded AS (
  INSERT INTO usage_attempts (
    attempt_id, request_id, tenant_id, user_id, token_id, requested_model, served_model, region, target,
    status, outcome, reserved_micro_usd, spend_day, owner_id, settled_at)
  SELECT attempt_id, request_id, tenant_id, user_id, token_id, requested_model, served_model, region, target,
         status, CASE WHEN status = 'coalesced' THEN 'coalesced' END, reserved, day, $2::uuid,
         CASE WHEN status = 'coalesced' THEN now() END
    FROM judged
   WHERE verdict = 'granted'
   ORDER BY attempt_id
)
SELECT j.ord, j.verdict, to_char(j.day, 'YYYY-MM-DD') AS day,
       CASE WHEN j.month_used + coalesce(a.total, 0) + j.reserved > j.month_cap THEN 'month'
            WHEN j.day_used + coalesce(a.total, 0) + j.reserved > j.day_cap THEN 'day'
            ELSE 'again' END AS cap
  FROM judged j
  LEFT JOIN admitted a ON a.account_id = j.account_id
 WHERE j.verdict IN ('refused', 'token-inactive', 'duplicate')
`;

/** The statement for a batch; prepared once per connection. */
export function reserveStatement(items: readonly ReserveItem[], ownerId: string) {
  const rows = items.map(({ reservation, status }, ord) => ({
    ord,
    attempt_id: reservation.attemptId,
    request_id: reservation.requestId,
    tenant_id: reservation.tenantId,
    user_id: reservation.userId,
    token_id: reservation.tokenId,
    requested_model: reservation.requestedModel,
    served_model: reservation.servedModel,
    region: reservation.region,
    target: reservation.target,
    status,
    reserved: reservation.reservedMicroUsd,
  }));
  return { name: 'ledger-reserve', text: RESERVE, values: [JSON.stringify(rows), ownerId] };
}
