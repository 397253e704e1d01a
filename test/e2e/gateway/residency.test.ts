/** A tenant bound to a place: neither a failover nor a wish leads out of it. */
import OpenAI from 'openai';
import { offeredModels } from '../../chaos/harness/offered-models';
import { testPlatform } from '../../chaos/harness/test-platform';
import { says } from './samples';
import { clusterForSuite } from './suite-cluster';

const ABROAD = 'global.anthropic.claude-haiku-4-5-20251001-v1:0';

const cluster = clusterForSuite({
  gateways: 1,
  platform: testPlatform({
    tenants: { domestic: { residencies: ['jp'] } },
    // Every call here may fail over as often as a call ever may.
    retry: { budgetPercent: 100, minimumConcurrentRetries: 50 },
  }),
  bedrock: { models: offeredModels(), pacing: 'instant' },
});

async function clientOf(tenantId: string): Promise<OpenAI> {
  const { plaintext: apiKey } = await cluster().issueToken({ tenantId });
  return new OpenAI({ apiKey, baseURL: `${cluster().gateway(0).url}/v1`, maxRetries: 0 });
}

/** Whom a call asked, all of them failing, and what its caller was told. */
async function failingEverywhere(tenantId: string, stream: boolean) {
  const { bedrock } = cluster();
  bedrock.reset();
  bedrock.script({ script: { name: 'internal-error' }, times: 20 });
  const client = await clientOf(tenantId);
  const error: unknown = await client.chat.completions
    .create({ model: 'simple', messages: says('hello'), stream })
    .catch((reason: unknown) => reason);
  return { asked: bedrock.ledger().map(({ model }) => model), error };
}

beforeEach(() => cluster().bedrock.reset());

test.each([false, true])(
  'a tenant without an allow-list fails over abroad (streamed: %s)',
  async (stream) => {
    const { asked } = await failingEverywhere('anywhere', stream);
    expect(asked).toContain(ABROAD);
  },
);

test.each([false, true])(
  'a tenant bound to Japan does not, though nobody else is left (streamed: %s)',
  async (stream) => {
    const { asked, error } = await failingEverywhere('domestic', stream);
    expect(new Set(asked)).toEqual(new Set([ABROAD.replace('global.', 'jp.')]));
    expect(asked.length).toBeGreaterThan(1);
    expect(error).toMatchObject({ status: 502, code: 'upstream_error' });
  },
);

test('asking abroad by name is refused with the reason, and is not offered', async () => {
  const client = await clientOf('domestic');
  const asking = client.chat.completions.create({ model: ABROAD, messages: says('hello') });
  const error: unknown = await asking.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(OpenAI.PermissionDeniedError);
  expect(error).toMatchObject({ code: 'residency_not_allowed' });
  expect(String(error)).toContain('where requests of your organization may be processed');
  expect(cluster().bedrock.ledger()).toEqual([]);

  const offered = (await client.models.list()).data.map(({ id }) => id);
  expect(offered).toContain('simple');
  expect(offered.filter((id) => id.startsWith('global.'))).toEqual([]);
});
