/** Everything a model can do to a caller, one thing at a time, and what becomes of the promises. */
import { BEDROCK_SCRIPTS, type ScriptName } from '@matsuri/local';
import { renderTable } from '@matsuri/telemetry';
import { check, describeViolations } from '../../chaos/harness/checker/check';
import type { CallResult } from '../../chaos/harness/client/answer-watch';
import { RawClient } from '../../chaos/harness/client/raw-client';
import { collectEvidence } from '../../chaos/harness/collect-evidence';
import { PROMPT_CANARY } from '../../chaos/harness/gateway-log';
import { greet } from '../../chaos/harness/greet';
import { offeredModels } from '../../chaos/harness/offered-models';
import { quiesce, takeBaseline } from '../../chaos/harness/quiesce';
import { testPlatform } from '../../chaos/harness/test-platform';
import { EXPECTED, type Seen } from './expected-endings';
import { clusterForSuite } from './suite-cluster';

const SLOTS = 50;
const SCRIPTS = BEDROCK_SCRIPTS.map(({ name }) => name);

const cluster = clusterForSuite({
  gateways: 2,
  platform: testPlatform({
    // Every call is to meet its script: neither a breaker nor the budget for retries may come between.
    breaker: { minimumCalls: 100_000 },
    retry: { budgetPercent: 100, minimumConcurrentRetries: 200 },
  }),
  bedrock: { models: offeredModels(), pacing: { firstTokenMs: 5, tokensPerSecond: 1_000 } },
});

interface Variant {
  readonly stream: boolean;
  readonly attempts: number;
  readonly afterTokens: number;
}

const VARIANTS = {
  streamOnce: { stream: true, attempts: 1, afterTokens: 5 },
  streamAlways: { stream: true, attempts: 20, afterTokens: 5 },
  streamEarly: { stream: true, attempts: 1, afterTokens: 0 },
  wholeOnce: { stream: false, attempts: 1, afterTokens: 5 },
  wholeAlways: { stream: false, attempts: 20, afterTokens: 5 },
} as const satisfies Record<string, Variant>;

type VariantName = keyof typeof VARIANTS;
type Results = Readonly<Record<VariantName, CallResult>>;

const VARIANT_NAMES = Object.keys(VARIANTS) as VariantName[];

const seen = new Map<ScriptName, Results>();
let token = '';

async function meet(name: ScriptName, variant: VariantName): Promise<CallResult> {
  const { stream, attempts, afterTokens } = VARIANTS[variant];
  const { bedrock, history } = cluster();
  const id = `${name}.${variant}`;
  const script = { name, afterTokens, tokens: 20, pauseMs: 700, everyMs: 50 };
  bedrock.script({ script, times: attempts, when: { promptContains: `<${id}>` } });
  const client = new RawClient({ history, token });
  const tool = { type: 'function', function: { name: 'look_up', parameters: { type: 'object' } } };
  const result = await client.call(cluster().gateway(SCRIPTS.indexOf(name) % 2), {
    id,
    tenant: 'tenant',
    stream,
    body: {
      model: 'simple',
      messages: [{ role: 'user', content: `<${id}> ${PROMPT_CANARY}` }],
      stream,
      ...(name === 'tool-use' && { tools: [tool] }),
    },
    departure: { kind: 'stays' },
  });
  client.close();
  return result;
}

function seenOf({ ending, text }: CallResult): Seen | CallResult['ending'] {
  if (ending === 'refused') return 'failed';
  if (ending !== 'broke-off') return ending;
  return text === '' ? 'failed' : 'broken';
}

beforeAll(async () => {
  token = (await cluster().issueToken()).plaintext;
  await Promise.all(
    SCRIPTS.map(async (name) => {
      const results = await Promise.all(
        VARIANT_NAMES.map(async (variant) => [variant, await meet(name, variant)] as const),
      );
      seen.set(name, Object.fromEntries(results) as Record<VariantName, CallResult>);
    }),
  );
  const rows = [...seen].map(([script, results]) => ({
    script,
    ...Object.fromEntries(
      VARIANT_NAMES.map((variant) => {
        const { status, code } = results[variant];
        const what = seenOf(results[variant]);
        return [variant, what === 'completed' ? what : `${what}: ${status} ${code ?? ''}`];
      }),
    ),
  }));
  process.stdout.write(`\nMisbehaviours met:\n${renderTable(rows)}\n`);
}, 60_000);

const resultsOf = (name: ScriptName): Results => {
  const results = seen.get(name);
  if (!results) throw new Error(`${name} was not met`);
  return results;
};

describe.each(SCRIPTS)('%s', (name) => {
  test.each(VARIANT_NAMES)('%s', (variant) => {
    const result = resultsOf(name)[variant];
    expect(seenOf(result)).toBe(EXPECTED[name][variant]);
    if (result.ending !== 'completed') expect(result.code).toEqual(expect.any(String));
  });
});

test('a silent model is bridged by heartbeats', () => {
  expect(resultsOf('thinking-pause').streamOnce.heartbeats).toBeGreaterThanOrEqual(1);
});

test('all promises hold, to the token, and nothing is left open', async () => {
  await Promise.all(cluster().gateways.map((gateway) => greet(cluster(), gateway, token)));
  const baseline = await takeBaseline(cluster());
  const open = await quiesce(cluster(), baseline, 15_000);
  const evidence = await collectEvidence(
    cluster(),
    {
      slotsPerTask: SLOTS,
      gateways: 2,
      departureNoticeMs: 1_000,
      blurMs: 100,
      buckets: [],
      breaker: { halfOpenPermits: 3 },
    },
    open,
  );
  const met = new Set(evidence.upstream.map(({ script }) => script));
  expect(SCRIPTS.filter((name) => !met.has(name))).toEqual([]);
  expect(describeViolations(check(evidence))).toBe('');
}, 30_000);
