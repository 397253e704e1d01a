import type { TokenUsage } from '@matsuri/contract';
import { MAX_REPORT_DAYS, rangeProblem } from '../core/report-range';
import type { ReportRange } from '../core/report-range';
import { ReportRangeError } from '../errors';
import type { DatabasePool } from '../pool/database-pool';
import { selectSummaries } from './summary-query';

/** What a report is about; every condition narrows it. */
export interface UsageFilter {
  readonly range: ReportRange;
  /** `null`: every tenant, for those who run the platform. */
  readonly tenantId: string | null;
  readonly userId?: string;
  readonly tokenId?: string;
  /** The model that served. */
  readonly model?: string;
}

export interface UsageSummaryQuery extends UsageFilter {
  /** One row per user, per token, per serving model or per UTC day. */
  readonly groupBy: UsageGrouping;
  /** @default 100, at most 1000 */
  readonly limit?: number;
  /** The key of the last row of the page before. */
  readonly after?: string;
}

export type UsageGrouping = 'user' | 'token' | 'model' | 'day';

/** Sums of one group. */
export interface UsageSummary extends TokenUsage {
  readonly key: string;
  readonly attempts: number;
  /** Answered by another request's attempt. */
  readonly coalesced: number;
  readonly costMicroUsd: number;
  /** Still reserved: attempts under way. */
  readonly openMicroUsd: number;
}

export interface UsagePage<Row> {
  readonly rows: readonly Row[];
  /** Pass as `after` for the next page; absent on the last one. */
  readonly next?: string;
}

/** Questions to the ledger, each over at most 90 days; longer ones are a `ReportRangeError`. */
export interface UsageReports {
  /** Rows in the order of their keys. */
  summarise(query: UsageSummaryQuery): Promise<UsagePage<UsageSummary>>;
}

const MAX_PAGE = 1_000;

/** Reports from a pool: that of the reader endpoint where there is one. */
export function createUsageReports(pool: Pick<DatabasePool, 'run'>): UsageReports {
  return {
    async summarise(query) {
      const problem = rangeProblem(query.range);
      if (problem !== undefined) throw new ReportRangeError(problem, MAX_REPORT_DAYS);
      const limit = Math.min(query.limit ?? 100, MAX_PAGE);
      // One more than asked for tells whether there is a next page.
      const rows = await pool.run((db) => selectSummaries(db, query, limit + 1));
      return page(rows, limit);
    },
  };
}

function page(rows: readonly UsageSummary[], limit: number): UsagePage<UsageSummary> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return rows.length > limit && last ? { rows: shown, next: last.key } : { rows: shown };
}
