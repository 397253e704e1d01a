import { sql } from 'drizzle-orm';
import { createUsageReports, ReportRangeError } from '../src';
import type { UsageSummary, UsageSummaryQuery } from '../src';
import { selectSummaries } from '../src/reports/summary-query';
import { setStage } from './stage';
import type { Stage } from './stage';

jest.setTimeout(30_000);

const DAY_MS = 86_400_000;
const START = new Date('2026-01-01T00:00:00Z');
const range = { from: START, to: new Date(START.getTime() + 60 * DAY_MS) };
const TOKENS = 20;
const ROWS = 40_000;

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
  // Two months of a small tenant: users, tokens, models and days in turn.
  await stage.pool.query({
    text: `INSERT INTO usage_attempts (attempt_id, request_id, tenant_id, user_id, token_id, requested_model,
             served_model, region, target, status, reserved_micro_usd, cost_micro_usd, input_tokens,
             output_tokens, cache_read_tokens, cache_write_tokens, spend_day, owner_id, created_at)
           SELECT gen_random_uuid(), 'r', 'tenant-' || n % 2, 'user-' || n % 10,
                  md5((n % $2)::text)::uuid, 'simple', 'model-' || n % 4, 'region', 'on-demand',
                  (CASE WHEN n % 100 = 0 THEN 'reserved' WHEN n % 100 = 1 THEN 'coalesced' ELSE 'settled' END)::attempt_status,
                  10, CASE WHEN n % 100 < 2 THEN 0 ELSE 3 END, 1, 2, 3, 4, '2026-01-01', gen_random_uuid(),
                  $1::timestamptz + n * interval '60 days' / $3
             FROM generate_series(0, $3 - 1) n`,
    values: [START, TOKENS, ROWS],
  });
  await stage.pool.query({ text: 'ANALYZE usage_attempts' });
});
afterAll(() => stage.close());

const everything = { range, tenantId: null } as const;
const reports = () => createUsageReports(stage.pool);
const total = (rows: readonly UsageSummary[], field: 'costMicroUsd' | 'attempts') =>
  rows.map((row) => row[field]).reduce((a, b) => a + b, 0);

test.each([
  ['user', 10],
  ['token', TOKENS],
  ['model', 4],
  ['day', 60],
] as const)(
  'per %s: every row is in one group, and the sums are the ledger’s',
  async (groupBy, groups) => {
    const { rows, next } = await reports().summarise({ ...everything, groupBy });
    expect(rows).toHaveLength(groups);
    expect(next).toBeUndefined();
    expect(total(rows, 'costMicroUsd')).toBe(ROWS * 0.98 * 3);
    expect(total(rows, 'attempts')).toBe(ROWS * 0.99);
  },
);

test('sums every kind of token, what is coalesced and what is still open', async () => {
  const { rows } = await reports().summarise({ ...everything, groupBy: 'model', model: 'model-0' });
  expect(rows).toEqual([
    {
      key: 'model-0',
      attempts: 10_000,
      coalesced: 0,
      inputTokens: 10_000,
      outputTokens: 20_000,
      cacheReadTokens: 30_000,
      cacheWriteTokens: 40_000,
      costMicroUsd: 28_800,
      openMicroUsd: 4_000,
    },
  ]);
});

test('pages hold every group once, in order', async () => {
  const keys: string[] = [];
  let after: string | undefined;
  do {
    const query = {
      ...everything,
      groupBy: 'day',
      limit: 7,
      ...(after !== undefined && { after }),
    } as const;
    const { rows, next } = await reports().summarise(query);
    expect(rows.length).toBeLessThanOrEqual(7);
    keys.push(...rows.map(({ key }) => key));
    after = next;
  } while (after !== undefined);
  expect(keys).toHaveLength(60);
  expect(keys).toEqual([...new Set(keys)].toSorted());
});

test('a tenant sees its own', async () => {
  const { rows } = await reports().summarise({ range, tenantId: 'tenant-1', groupBy: 'user' });
  expect(rows.map(({ key }) => key)).toEqual(['user-1', 'user-3', 'user-5', 'user-7', 'user-9']);
});

test('the start is in the range, the end is not', async () => {
  const oneDay = { from: START, to: new Date(START.getTime() + DAY_MS) };
  const { rows } = await reports().summarise({ range: oneDay, tenantId: null, groupBy: 'day' });
  expect(rows.map(({ key }) => key)).toEqual(['2026-01-01']);
});

test('more than 90 days is an error, not a query', async () => {
  const tooLong = { from: START, to: new Date(START.getTime() + 90 * DAY_MS + 1) };
  await expect(
    reports().summarise({ range: tooLong, tenantId: null, groupBy: 'day' }),
  ).rejects.toThrow(ReportRangeError);
});

describe('a day of one subject is read through its index', () => {
  const day = { from: START, to: new Date(START.getTime() + DAY_MS) };
  const token = 'cfcd2084-95d5-65ef-66e7-dff9f98764da';

  test.each<[string, Omit<UsageSummaryQuery, 'groupBy'>, string]>([
    [
      'user',
      { range: day, tenantId: 'tenant-1', userId: 'user-1' },
      'usage_attempts_user_created_idx',
    ],
    [
      'token',
      { range: day, tenantId: 'tenant-0', tokenId: token },
      'usage_attempts_token_created_idx',
    ],
    [
      'model',
      { range: day, tenantId: 'tenant-0', model: 'model-0' },
      'usage_attempts_model_created_idx',
    ],
  ])('%s', async (_, query, indexName) => {
    expect(await planOf({ ...query, groupBy: 'day' })).toContain(indexName);
  });
});

test('a day of everything is read through the block ranges, not the whole ledger', async () => {
  const day = { from: START, to: new Date(START.getTime() + DAY_MS) };
  await stage.pool.query({
    text: `SELECT brin_summarize_new_values('usage_attempts_created_brin')`,
  });
  const plan = await planOf({ range: day, tenantId: null, groupBy: 'user' });
  expect(plan).toContain('usage_attempts_created_brin');
});

/** The plan of the very statement a report sends. */
function planOf(query: UsageSummaryQuery): Promise<string> {
  return stage.pool.run(async (db) => {
    const statement = selectSummaries(db, query, 100).getSQL();
    const plan = await db.execute<{ 'QUERY PLAN': string }>(sql`EXPLAIN ${statement}`);
    return plan.rows.map((line) => line['QUERY PLAN']).join('\n');
  });
}
