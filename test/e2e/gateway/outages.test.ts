/** Redis, PostgreSQL or both are away, and come back; a target fails, and mends. */
import { check, describeViolations } from '../../chaos/harness/checker/check';
import type { CallResult } from '../../chaos/harness/client/answer-watch';
import { RawClient } from '../../chaos/harness/client/raw-client';
import { closeBreakers } from '../../chaos/harness/close-breakers';
import { collectEvidence } from '../../chaos/harness/collect-evidence';
import type { BucketSettings } from '../../chaos/harness/evidence';
import { eventually } from '../../chaos/harness/eventually';
import type { GatewayProcess } from '../../chaos/harness/gateway-process';
import { greet } from '../../chaos/harness/greet';
import { offeredModels } from '../../chaos/harness/offered-models';
import { quiesce, takeBaseline, type Baseline } from '../../chaos/harness/quiesce';
import { plentifulQuotas, testPlatform } from '../../chaos/harness/test-platform';
import { clusterForSuite } from './suite-cluster';

const TIGHT: BucketSettings = {
  model: 'global.anthropic.claude-sonnet-5',
  region: 'ap-northeast-1',
  requestsPerMinute: 1_200,
  burst: 10,
};
const FIRST_TARGET = 'jp.anthropic.claude-haiku-4-5-20251001-v1:0@ap-northeast-1';

const cluster = clusterForSuite({
  gateways: 3,
  platform: testPlatform({
    gateway: { burstRequests: TIGHT.burst },
    quotas: plentifulQuotas()
      .filter(({ profile, region }) => profile !== TIGHT.model || region === TIGHT.region)
      .map((quota) =>
        quota.profile === TIGHT.model
          ? { ...quota, requestsPerMinute: TIGHT.requestsPerMinute }
          : quota,
      ),
  }),
  bedrock: { models: offeredModels(), pacing: 'instant' },
});

let token = '';
let baseline: Baseline;
let client: RawClient;
beforeAll(async () => {
  token = (await cluster().issueToken()).plaintext;
  await everyone();
  baseline = await takeBaseline(cluster());
  client = new RawClient({ history: cluster().history, token });
}, 60_000);

/** One short call to each gateway. */
const everyone = (): Promise<CallResult[]> =>
  Promise.all(cluster().gateways.map((gateway) => greet(cluster(), gateway, token)));

const upstreamCalls = (): number => cluster().bedrock.ledger().length;

let asked = 0;
const ask = (place: number, body: object, marker = ''): Promise<CallResult> => {
  asked += 1;
  const id = `outage-${asked}`;
  return client.call(cluster().gateway(place), {
    id,
    tenant: 'tenant',
    stream: true,
    body: {
      model: 'simple',
      messages: [{ role: 'user', content: `${marker} hello` }],
      stream: true,
      ...body,
    },
    departure: { kind: 'stays' },
  });
};

async function everyoneServes(within: number): Promise<void> {
  await eventually(
    'everyone serves again',
    async () => (await everyone()).every(({ status }) => status === 200),
    within,
  );
}

test('the shared limit holds over all processes, in every interval', async () => {
  const untilMs = performance.now() + 2_000;
  const saturate = async (place: number): Promise<void> => {
    while (performance.now() < untilMs) await ask(place, { model: TIGHT.model });
  };
  const before = upstreamCalls();
  await Promise.all([0, 0, 0, 1, 1, 1, 2, 2, 2].map(saturate));
  const granted = upstreamCalls() - before;
  // Of what two seconds allow, most is used; that no more is, the checker sees in the end.
  expect(granted).toBeGreaterThan((0.8 * 2 * TIGHT.requestsPerMinute) / 60);
}, 20_000);

test('without PostgreSQL no model is called, and running streams end well', async () => {
  const script = { name: 'thinking-pause', pauseMs: 1_200 } as const;
  cluster().bedrock.script({ script, when: { promptContains: 'already-running' } });
  const before = upstreamCalls();
  const running = ask(0, {}, 'already-running');
  await eventually('it runs', () => upstreamCalls() === before + 1);
  await cluster().links.postgres.down();

  const refused = await Promise.all(cluster().gateways.map((_, place) => ask(place, {})));
  for (const { status, headers } of refused) {
    expect(status).toBe(503);
    expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
  }
  expect((await running).ending).toBe('completed');
  expect(upstreamCalls()).toBe(before + 1);

  await cluster().links.postgres.up();
  await everyoneServes(5_000);
}, 20_000);

/** How a gateway stands to the limits that all share, by what it logged last. */
const sharesLimits = ({ log }: GatewayProcess): boolean => {
  const last = log.lines.findLast((line) => line.includes('"msg":"shared limit"'));
  return last === undefined || last.includes('"to":"closed"');
};

test('without Redis calls go on within a share of the limits, and return to them in 5 s', async () => {
  const all = cluster().gateways;
  await cluster().links.redis.down();
  await eventually('everyone has noticed', async () => {
    await everyone();
    return all.every((gateway) => !sharesLimits(gateway));
  });
  expect((await everyone()).map(({ status }) => status)).toEqual([200, 200, 200]);

  await cluster().links.redis.up();
  const backAtMs = performance.now();
  await eventually('everyone has returned', async () => {
    await everyone();
    return all.every(sharesLimits);
  });
  expect(performance.now() - backAtMs).toBeLessThan(5_500);
}, 20_000);

test('without either nothing is spent; with both back all is well', async () => {
  const { redis, postgres } = cluster().links;
  await Promise.all([redis.down(), postgres.down()]);
  const before = upstreamCalls();
  const refused = await everyone();
  expect(refused.map(({ status }) => status)).toEqual([503, 503, 503]);
  expect(upstreamCalls()).toBe(before);
  await Promise.all([redis.up(), postgres.up()]);
  await everyoneServes(6_000);
}, 20_000);

test('a target that fails is left alone, and used again once it is well', async () => {
  // Nothing else asks in these words, so that the target is well again when they are not used any more.
  const [model = '', region = ''] = FIRST_TARGET.split('@');
  const when = { model, region, promptContains: 'sick-target' };
  cluster().bedrock.script({ script: { name: 'internal-error' }, times: 10_000, when });
  const isOpen = (): boolean => cluster().gateway(0).log.transitions.at(-1)?.to === 'open';
  await eventually('its breaker opens', async () => {
    await Promise.all(Array.from({ length: 8 }, () => ask(0, {}, 'sick-target')));
    return isOpen();
  });
  const before = upstreamCalls();
  await ask(0, {}, 'sick-target');
  const [next] = cluster().bedrock.ledger().slice(before);
  expect(`${next?.model ?? ''}@${next?.region ?? ''}`).not.toBe(FIRST_TARGET);

  expect(await closeBreakers(cluster(), token)).toMatchObject({ count: 0 });
}, 30_000);

test('after all of it the promises hold, and nothing is left open', async () => {
  client.close();
  const open = await quiesce(cluster(), baseline, 20_000);
  const evidence = await collectEvidence(
    cluster(),
    {
      slotsPerTask: 50,
      gateways: 3,
      departureNoticeMs: 1_000,
      blurMs: 250,
      buckets: [TIGHT],
      breaker: { halfOpenPermits: 3 },
    },
    open,
  );
  expect(describeViolations(check(evidence))).toBe('');
}, 40_000);
