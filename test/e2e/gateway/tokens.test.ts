/** API tokens from the management API to the gateways: what they may, what they may spend, and their end. */
import { PATHS } from '@matsuri/contract';
import type { CallResult } from '../../chaos/harness/client/answer-watch';
import { RawClient } from '../../chaos/harness/client/raw-client';
import { ledgerRows } from '../../chaos/harness/collect-evidence';
import { eventually } from '../../chaos/harness/eventually';
import { greet } from '../../chaos/harness/greet';
import { at, textAt } from '../../chaos/harness/json';
import {
  startManagement,
  tokensPath,
  type ManagementProcess,
} from '../../chaos/harness/management-process';
import { offeredModels } from '../../chaos/harness/offered-models';
import { rowsSettled } from '../../chaos/harness/orphans';
import { testPlatform } from '../../chaos/harness/test-platform';
import { clusterForSuite } from './suite-cluster';

const TENANT = 'acme';
const platform = testPlatform();

const cluster = clusterForSuite({
  gateways: 2,
  platform,
  bedrock: { models: offeredModels(), pacing: 'instant' },
});

let api: ManagementProcess;
beforeAll(async () => {
  api = await startManagement(cluster().databaseUrl, platform, cluster().pepper);
}, 60_000);
afterAll(() => api.close());

interface Created {
  readonly id: string;
  readonly token: string;
}

async function create(limits: object = {}): Promise<Created> {
  const { status, body } = await api.ask('POST', tokensPath(TENANT), {
    user_id: 'alice',
    name: 'storefront',
    ...limits,
  });
  expect(status).toBe(201);
  return issued(body);
}

const issued = (body: unknown): Created => ({
  id: textAt(body, 'id') ?? '',
  token: textAt(body, 'token') ?? '',
});

/** The status each gateway answers a token with. */
const statuses = (token: string): Promise<number[]> =>
  Promise.all(
    cluster().gateways.map(async (gateway) => (await greet(cluster(), gateway, token)).status),
  );

test('a token works everywhere at once, and its usage is reported', async () => {
  const { id, token } = await create();
  expect(await statuses(token)).toEqual([200, 200]);
  await rowsSettled(cluster(), 5_000);
  const query = `tenant=${TENANT}&group_by=token`;
  const { status, body } = await api.ask('GET', `${PATHS.usage}?${query}`);
  expect(status).toBe(200);
  expect(at(body, 'data')).toEqual([expect.objectContaining({ key: id, attempts: 2 })]);
});

test('what is left of a limit is what all gateways left of it', async () => {
  const { token } = await create({ requests_per_minute: 4 });
  const left: number[] = [];
  for (const gateway of [0, 1, 0, 1]) {
    const response = await fetch(`${cluster().gateway(gateway).url}${PATHS.chatCompletions}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'simple', messages: [{ role: 'user', content: 'hello' }] }),
    });
    await response.text();
    expect(response.headers.get('x-ratelimit-limit-requests')).toBe('4');
    left.push(Number(response.headers.get('x-ratelimit-remaining-requests')));
  }
  // One comes back after fifteen seconds; as each gateway sees it by itself it would be 3, 3, 2, 2.
  expect(left).toEqual([3, 2, 1, 0]);
});

test('a revoked token is refused by every process within a second', async () => {
  const { id, token } = await create();
  expect(await statuses(token)).toEqual([200, 200]);
  const { status } = await api.ask('POST', tokensPath(TENANT, `/${id}/revoke`));
  expect(status).toBe(200);
  const revokedAtMs = performance.now();
  await eventually('both refuse', async () => (await statuses(token)).every((it) => it === 401));
  expect(performance.now() - revokedAtMs).toBeLessThan(1_000);
});

test('a rotated token works beside its successor until the overlap ends', async () => {
  const { id, token } = await create();
  const { body } = await api.ask('POST', tokensPath(TENANT, `/${id}/rotate`), {
    overlap_seconds: 2,
  });
  const successor = issued(body);
  expect(await statuses(token)).toEqual([200, 200]);
  expect(await statuses(successor.token)).toEqual([200, 200]);
  await eventually('the old one ends', async () =>
    (await statuses(token)).every((status) => status === 401),
  );
  expect(await statuses(successor.token)).toEqual([200, 200]);
});

test('a token keeps to its requests per minute over all processes', async () => {
  const { token } = await create({ requests_per_minute: 3 });
  const all = [...(await statuses(token)), ...(await statuses(token)), ...(await statuses(token))];
  expect(all.filter((status) => status === 200)).toHaveLength(3);
  expect(all.filter((status) => status === 429)).toHaveLength(3);
});

test('two hundred calls at once cannot spend more than the cap', async () => {
  const { id, token } = await create({ day_cap_usd: '1.00' });
  const { bedrock, history } = cluster();
  // Each call reserves about two cents and spends all of it.
  const maxTokens = 1_800;
  const script = { name: 'ok', tokens: maxTokens } as const;
  bedrock.script({ script, times: 400, when: { promptContains: 'spend-it-all' } });
  const client = new RawClient({ history, token });
  const spend = (index: number): Promise<CallResult> =>
    client.call(cluster().gateway(index % 2), {
      id: `spend-${index}`,
      tenant: TENANT,
      stream: false,
      body: {
        model: 'complex',
        messages: [{ role: 'user', content: 'spend-it-all' }],
        max_tokens: maxTokens,
      },
      departure: { kind: 'stays' },
    });
  const results = await Promise.all(Array.from({ length: 200 }, (_, index) => spend(index)));
  client.close();
  await rowsSettled(cluster(), 10_000);

  const answered = results.filter(({ status }) => status === 200).length;
  const refused = results.filter(({ code }) => code === 'insufficient_quota').length;
  const { body } = await api.ask('GET', tokensPath(TENANT, `/${id}/spend`));
  const spentUsd = Number(textAt(body, 'day', 'spent_usd'));
  const rows = await ledgerRows(cluster().pool);
  const own = rows.filter(({ requestId }) => requestId.startsWith('spend-'));
  const spent = own.reduce((sum, { costMoney }) => sum + costMoney, 0);
  const reservation = Math.max(...own.map(({ reservedMoney }) => reservedMoney));
  const reservationUsd = (reservation / spent) * spentUsd;

  expect(answered + refused).toBe(200);
  expect(refused).toBeGreaterThan(0);
  expect(spentUsd).toBeLessThanOrEqual(1 + reservationUsd);
  expect(spentUsd).toBeGreaterThan(0.9);
  expect(Number(textAt(body, 'day', 'reserved_usd'))).toBe(0);
  expect(at(body, 'day', 'cap_usd')).toBeDefined();
}, 30_000);

test('a capped token is told so in words clients know, and does not come back for more', async () => {
  const { token } = await create({ day_cap_usd: '0.000001' });
  const { status, code, headers } = await greet(cluster(), cluster().gateway(0), token);
  expect({ status, code }).toEqual({ status: 429, code: 'insufficient_quota' });
  expect(headers['x-should-retry']).toBe('false');
});
