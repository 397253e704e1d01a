import { createRoute } from '@hono/zod-openapi';
import { PATHS } from '@matsuri/contract';
import type { UsageFilter, UsageSummary } from '@matsuri/database';
import type { Api } from '../api';
import { dollarsOf } from '../core/dollars';
import { decodeCursor, encodeCursor } from '../core/page-cursor';
import { reportPeriod, type Period } from '../core/report-period';
import type { UsageSource } from '../ports';
import { ProblemError } from '../problem-error';
import {
  usagePageSchema,
  usageQuerySchema,
  type UsageQuery,
  type UsageRowBody,
} from '../wire/usage-schemas';
import { ADMIN_SECURITY, ANY_ROUTE, problem } from './documented';
import { unknownCursor } from './unknown-cursor';

export interface UsageRouteOptions {
  readonly usage: UsageSource;
  readonly maxDays: number;
  /** Milliseconds since 1970. */
  readonly wallClockMs: () => number;
}

const route = createRoute({
  method: 'get',
  path: PATHS.usage,
  operationId: 'summariseUsage',
  tags: ['Usage'],
  summary: 'Sum up usage',
  description:
    'Sums of the ledger by user, token, model or UTC day, in the order of their keys. A report covers at most 90 days.',
  security: ADMIN_SECURITY,
  request: { query: usageQuerySchema },
  responses: {
    200: {
      description: 'A page of sums.',
      content: { 'application/json': { schema: usagePageSchema } },
    },
    ...ANY_ROUTE,
    400: problem('invalid-request', 'period-refused'),
  },
});

/** Everything under `/v1/usage`. */
export function addUsageRoutes(api: Api, { usage, maxDays, wallClockMs }: UsageRouteOptions): void {
  api.openapi(route, async (c) => {
    const query = c.req.valid('query');
    const period = periodOf(query, wallClockMs(), maxDays);
    const page = await usage.summarise({
      ...filterOf(query, period),
      groupBy: query.group_by,
      limit: query.limit,
      ...(query.cursor !== undefined && { after: keyOf(query.cursor) }),
    });
    return c.json(
      {
        group_by: query.group_by,
        from: period.from.toISOString(),
        to: period.to.toISOString(),
        data: page.rows.map(rowView),
        next_cursor: page.next === undefined ? null : encodeCursor([page.next]),
      },
      200,
    );
  });
}

function periodOf({ from, to }: UsageQuery, nowMs: number, maxDays: number): Period {
  const asked = { ...(from && { from }), ...(to && { to }) };
  const outcome = reportPeriod(asked, nowMs, maxDays);
  if (outcome.kind === 'refused') throw new ProblemError('period-refused', outcome.because);
  return outcome.period;
}

function filterOf({ tenant, user, token, model }: UsageQuery, range: Period): UsageFilter {
  return {
    range,
    tenantId: tenant ?? null,
    ...(user !== undefined && { userId: user }),
    ...(token !== undefined && { tokenId: token }),
    ...(model !== undefined && { model }),
  };
}

function keyOf(cursor: string): string {
  const [key, ...others] = decodeCursor(cursor) ?? [];
  if (key === undefined || others.length > 0 || key.includes('\0')) throw unknownCursor();
  return key;
}

function rowView(row: UsageSummary): UsageRowBody {
  return {
    key: row.key,
    attempts: row.attempts,
    coalesced: row.coalesced,
    input_tokens: row.inputTokens,
    output_tokens: row.outputTokens,
    cache_read_tokens: row.cacheReadTokens,
    cache_write_tokens: row.cacheWriteTokens,
    cost_usd: dollarsOf(row.costMicroUsd),
    open_usd: dollarsOf(row.openMicroUsd),
  };
}
