import { inertText, renderTable } from '@matsuri/telemetry';
import { dollarsOf, microUsdOf } from '../core/dollars';
import type { SpendBody, TokenBody } from '../wire/token-schemas';
import type { UsageRowBody } from '../wire/usage-schemas';

/** Tokens as a table. */
export function presentTokens(tokens: readonly TokenBody[]): string {
  if (tokens.length === 0) return 'No tokens.\n';
  return renderTable(
    tokens.map((token) => ({
      id: token.id,
      user: token.user_id,
      name: inertText(token.name, 'escape'),
      status: token.status,
      token: token.hint,
      models: token.allowed_models?.join(',') ?? 'all',
      created: token.created_at.slice(0, 10),
      expires: token.expires_at?.slice(0, 10) ?? 'never',
    })),
  );
}

/** One token, everything about it. */
export function presentToken(token: TokenBody): string {
  const facts: readonly (readonly [string, string | number | null])[] = [
    ['id', token.id],
    ['tenant', token.tenant_id],
    ['user', token.user_id],
    ['name', inertText(token.name, 'escape')],
    ['token', token.hint],
    ['status', token.status],
    ['models', token.allowed_models?.join(', ') ?? 'all'],
    ['requests/min', token.requests_per_minute],
    ['tokens/min', token.tokens_per_minute],
    ['day cap', token.day_cap_usd],
    ['month cap', token.month_cap_usd],
    ['created', token.created_at],
    ['expires', token.expires_at],
    ['revoked', token.revoked_at],
    ['overlap until', token.overlap_until],
    ['successor of', token.predecessor_id],
  ];
  return facts.map(([name, value]) => `${name.padEnd(14)}${String(value ?? '–')}\n`).join('');
}

/** What a token's line has spent. */
export function presentSpend(spend: SpendBody): string {
  return renderTable(
    (['day', 'month'] as const).map((period) => ({
      period,
      spent: spend[period].spent_usd,
      reserved: spend[period].reserved_usd,
      cap: spend[period].cap_usd ?? 'none',
      remaining: spend[period].remaining_usd ?? '–',
      resets: spend[period].resets_at,
    })),
  );
}

/** A report as a table with a last line of sums. */
export function presentUsage(by: string, rows: readonly UsageRowBody[]): string {
  if (rows.length === 0) return 'No usage in this period.\n';
  const shown = [...rows, ...(rows.length > 1 ? [sumOf(rows)] : [])];
  return renderTable(
    shown.map((row) => ({
      [by]: inertText(row.key, 'escape'),
      calls: row.attempts,
      coalesced: row.coalesced,
      input: row.input_tokens,
      output: row.output_tokens,
      'cache read': row.cache_read_tokens,
      'cache write': row.cache_write_tokens,
      'cost $': row.cost_usd,
      'open $': row.open_usd,
    })),
  );
}

function sumOf(rows: readonly UsageRowBody[]): UsageRowBody {
  const sum = (count: (row: UsageRowBody) => number): number =>
    rows.reduce((total, row) => total + count(row), 0);
  return {
    key: 'total',
    attempts: sum((row) => row.attempts),
    coalesced: sum((row) => row.coalesced),
    input_tokens: sum((row) => row.input_tokens),
    output_tokens: sum((row) => row.output_tokens),
    cache_read_tokens: sum((row) => row.cache_read_tokens),
    cache_write_tokens: sum((row) => row.cache_write_tokens),
    cost_usd: dollarsOf(sum((row) => microUsdOf(row.cost_usd))),
    open_usd: dollarsOf(sum((row) => microUsdOf(row.open_usd))),
  };
}
