import { configure, type ModelCatalogue, type Residency } from '@matsuri/contract';
import { FakeLedger } from '../../../gateway/testing/fake-ledger';
import { createBedrockEmbedder, type BedrockEmbedderOptions } from './bedrock-embedder';
import { isDownstreamFault } from './downstream-fault';

const AT_HOME = { profile: 'amazon.titan-embed-text-v2:0', region: 'ap-northeast-1' };
const ABROAD = { profile: 'global.amazon.titan-embed-text-v2:0', region: 'ap-northeast-1' };
const NEVER = new AbortController().signal;

const { models: shipped } = configure();
const titan = shipped.profiles[AT_HOME.profile];
if (!titan) throw new RangeError(AT_HOME.profile);
const models: ModelCatalogue = {
  ...shipped,
  profiles: { ...shipped.profiles, [ABROAD.profile]: { ...titan, residency: 'global' } },
  aliases: { ...shipped.aliases, embed: [ABROAD, AT_HOME] },
};

/** What was called, and what was put on record, for a tenant that may be served there alone. */
async function embed(residencies: readonly Residency[] | null, catalogue = models) {
  const called: unknown[] = [];
  const ledger = new FakeLedger();
  const bedrock: BedrockEmbedderOptions['bedrock'] = {
    embed(target) {
      called.push(target);
      return Promise.resolve({ vectors: [[1]], inputTokens: 1 });
    },
  };
  const embedder = createBedrockEmbedder({
    bedrock,
    models: catalogue,
    ledger,
    tokenLimiter: { reserve: () => Promise.reject(new Error('no token, no limit')) },
    metrics: { record: () => undefined },
    log: { error: () => undefined },
  });
  const caller = {
    tenantId: 't',
    userId: 'u',
    tokenId: null,
    allowedModels: ['simple'],
    residencies,
    requestsPerMinute: null,
    tokensPerMinute: null,
  };
  const outcome = await embedder({ text: 'q', caller, requestId: 'r' }, NEVER).catch(
    (error: unknown) => error,
  );
  return { called, outcome, served: ledger.reserved.map(({ servedModel }) => servedModel) };
}

test.each([
  ['anywhere', null, ABROAD],
  ['at home alone', ['jp'] as const, AT_HOME],
])('who may be served %s is served by the first target there', async (_, residencies, target) => {
  expect(await embed(residencies)).toEqual({
    called: [target],
    outcome: [1],
    served: [target.profile],
  });
});

test('who may be served at no target has nothing embedded, and it is nobody’s fault', async () => {
  const { called, outcome, served } = await embed(['global'], shipped);
  expect({ called, served }).toEqual({ called: [], served: [] });
  expect(outcome).toBeInstanceOf(Error);
  expect(isDownstreamFault(outcome)).toBe(false);
});
