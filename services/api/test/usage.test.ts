import { ReportRangeError } from '@matsuri/database';
import { json, NOW_MS, setAppStage } from './app-stage';

const ROW = {
  key: 'alice',
  attempts: 3,
  coalesced: 1,
  inputTokens: 100,
  outputTokens: 50,
  cacheReadTokens: 7,
  cacheWriteTokens: 8,
  costMicroUsd: 1_234_567,
  openMicroUsd: 0,
};

test('sums are asked for by what the query says', async () => {
  const stage = setAppStage();
  const token = '7e3a1f0e-3b8a-4c4e-9d0a-0d1e2f3a4b5c';
  const response = await stage.call(
    'GET',
    `/v1/usage?group_by=user&from=2026-11-01&to=2026-11-02T09:00:00%2B09:00&tenant=acme&user=alice&token=${token}&model=m&limit=7`,
  );
  expect(response.status).toBe(200);
  expect(stage.asked).toEqual([
    {
      groupBy: 'user',
      range: { from: new Date('2026-11-01T00:00:00Z'), to: new Date('2026-11-02T00:00:00Z') },
      tenantId: 'acme',
      userId: 'alice',
      tokenId: token,
      model: 'm',
      limit: 7,
    },
  ]);
});

test('without any query the last thirty days of every tenant are summed up by day', async () => {
  const stage = setAppStage();
  const body = await json(await stage.call('GET', '/v1/usage'));
  expect(body).toEqual({
    group_by: 'day',
    from: '2026-10-19T12:00:00.000Z',
    to: new Date(NOW_MS).toISOString(),
    data: [],
    next_cursor: null,
  });
  expect(stage.asked).toMatchObject([{ tenantId: null, groupBy: 'day' }]);
});

test('a row is shown in tokens and dollars, and the cursor leads on from its key', async () => {
  const stage = setAppStage();
  stage.usagePage = { rows: [ROW], next: 'alice' };
  const body = await json(await stage.call('GET', '/v1/usage?group_by=user'));
  expect(body['data']).toEqual([
    {
      key: 'alice',
      attempts: 3,
      coalesced: 1,
      input_tokens: 100,
      output_tokens: 50,
      cache_read_tokens: 7,
      cache_write_tokens: 8,
      cost_usd: '1.234567',
      open_usd: '0.00',
    },
  ]);
  await stage.call('GET', `/v1/usage?group_by=user&cursor=${String(body['next_cursor'])}`);
  expect(stage.asked[1]).toMatchObject({ after: 'alice' });
});

test.each([
  ['longer than ninety days', 'from=2026-01-01&to=2026-04-02', 'at most 90 days'],
  ['open to a distant past', 'from=2020-01-01', 'at most 90 days'],
  ['reversed', 'from=2026-03-02&to=2026-03-01', 'ends before it begins'],
])('a period %s is refused, and the ledger is not asked', async (_, query, because) => {
  const stage = setAppStage();
  const response = await stage.call('GET', `/v1/usage?${query}`);
  expect(response.status).toBe(400);
  const body = await json(response);
  expect(body['type']).toBe('urn:matsuri:problem:period-refused');
  expect(body['detail']).toContain(because);
  expect(stage.asked).toEqual([]);
});

test('an environment may allow less than ninety days', async () => {
  const stage = setAppStage({ overrides: { ledger: { maxQueryDays: 7 } } });
  const response = await stage.call('GET', '/v1/usage?from=2026-11-01&to=2026-11-09');
  expect((await json(response))['detail']).toContain('at most 7 days');
});

test("the ledger's own bound is told as a refusal too", async () => {
  const usage = { summarise: () => Promise.reject(new ReportRangeError('too long', 90)) };
  const stage = setAppStage({ usage });
  expect((await stage.call('GET', '/v1/usage')).status).toBe(400);
});

test.each([
  'group_by=tenant',
  'from=yesterday',
  'from=2026-02-30',
  'to=2026-11-18T12:00:00',
  'token=1',
  'user=',
  'user=%00',
  'limit=1001',
  'cursor=WyJhIiwiYiJd',
  'cursor=WyJcdTAwMDAiXQ',
  'from=2026-11-01&from=2026-11-02',
  'unknown=1',
])('a query of %s is refused', async (query) => {
  expect((await setAppStage().call('GET', `/v1/usage?${query}`)).status).toBe(400);
});
