import { contradictionsIn, describeContradictions } from '../../test/contradiction-of';
import { configure } from '../configuration/configure';
import { residenciesOf } from '../configuration/tenants';

const SONNET_5 = 'jp.anthropic.claude-sonnet-5';
const TOKYO = 'ap-northeast-1';

describeContradictions('models, quotas and spend', [
  {
    id: 'model-retired',
    when: 'a model has reached its end of life',
    overrides: {
      models: { models: { 'claude-sonnet-5': { lifecycle: { endOfLifeOn: '2026-06-01' } } } },
    },
    says: /'jp\.anthropic\.claude-sonnet-5' of alias 'complex' reached its end of life on 2026-06-01: every call to it fails/,
    fix: /Replace 'jp\.anthropic\.claude-sonnet-5' in models\.aliases\.complex/,
  },
  {
    id: 'model-retired',
    when: 'an added model has no date of its own but a known end',
    nowMs: Date.parse('2026-09-11T00:00:00Z'),
    overrides: {
      models: {
        models: { 'claude-haiku-4-5': { bedrockId: 'anthropic.claude-3-haiku-20240307-v1:0' } },
      },
    },
    says: /of alias 'simple' reached its end of life on 2026-09-10/,
    fix: /models\.aliases\.simple/,
  },
  {
    id: 'model-retiring',
    when: 'a model ends within 90 days',
    severity: 'warning',
    overrides: {
      models: { models: { 'claude-haiku-4-5': { lifecycle: { endOfLifeOn: '2026-09-01' } } } },
    },
    says: /of alias 'simple' reaches its end of life on 2026-09-01, in 90 days/,
    fix: /with a current model/,
  },
  {
    id: 'model-unknown',
    when: 'an alias names a profile the catalogue does not hold',
    overrides: {
      models: { aliases: { embed: [{ profile: 'cohere.embed-v4:0', region: TOKYO }] } },
    },
    says: /'embed' names 'cohere\.embed-v4:0', but models\.profiles or its model in models\.models is missing/,
    fix: /Add 'cohere\.embed-v4:0' to models\.profiles/,
  },
  {
    id: 'tenant-without-target',
    when: 'a tenant must stay abroad and an alias stays at home',
    overrides: { tenants: { globex: { residencies: ['global'] } } },
    says: /tenant 'globex' may only be served in: global\. No target of the alias 'embed' is/,
    fix: /models\.aliases\.embed, or widen tenants\['globex'\]\.residencies/,
  },
  {
    id: 'tenant-without-failover',
    when: "a tenant's allow-list leaves one target",
    severity: 'warning',
    overrides: { tenants: { globex: { residencies: ['global'] } } },
    says: /One target of the alias 'complex' is left/,
    fix: /Add a second target/,
  },
  {
    id: 'model-wrong-kind',
    when: 'an embedding model is to chat',
    overrides: {
      models: { aliases: { simple: [{ profile: 'amazon.titan-embed-text-v2:0', region: TOKYO }] } },
    },
    says: /'simple' needs a model for chat, 'amazon\.titan-embed-text-v2:0' is one for embedding/,
    fix: /a model of kind 'chat'/,
  },
  {
    id: 'model-not-in-region',
    when: 'a profile is called where it is not offered',
    overrides: { models: { aliases: { complex: [{ profile: SONNET_5, region: 'us-east-1' }] } } },
    says: /calls 'jp\.anthropic\.claude-sonnet-5' in us-east-1; it can be called from ap-northeast-1, ap-northeast-3/,
    fix: /Use one of these regions in models\.aliases\.complex/,
  },
  {
    id: 'quota-missing',
    when: 'a target has no quota',
    overrides: { quotas: [] },
    says: /jp\.anthropic\.claude-haiku-4-5-20251001-v1:0@ap-northeast-1 of alias 'simple' has no quota/,
    fix: /Add \{ profile: 'jp\.anthropic\.claude-haiku/,
  },
  {
    id: 'quota-below-ordinary-peak',
    when: 'an ordinary evening asks for more than the account allows',
    overrides: { traffic: { messagesPerDay: 10_000_000 } },
    says: /'complex' is asked for 5,373 requests\/min and 30,087,719 tokens\/min at 2026-06-06 19:00 Asia\/Tokyo \(an ordinary week\) after 30 % cache hits, but the quotas of its 4 targets add up to 2,000 and 8,000,000/,
    fix: /Ask AWS for higher quotas and write them into quotas/,
  },
  {
    id: 'quota-below-event-peak',
    when: 'an event asks for more than the account allows',
    severity: 'warning',
    nowMs: Date.parse('2026-11-18T00:00:00Z'),
    overrides: { calendar: { weekly: [] } },
    says: /'complex' is asked for 2,686 requests\/min and .* at 2026-11-28 19:00 Asia\/Tokyo \(black_friday\)/,
    fix: /before then/,
  },
  {
    id: 'spend-below-ordinary-peak',
    when: 'an ordinary evening costs more than the ceiling',
    overrides: { spend: { maxModelDollarsPerHour: 100 } },
    says: /cost \$327 an hour at the peak of an ordinary week, the ceiling is \$100/,
    fix: /Raise spend\.maxModelDollarsPerHour to at least/,
  },
  {
    id: 'spend-below-event-peak',
    when: 'an event costs more than the ceiling',
    severity: 'warning',
    nowMs: Date.parse('2026-11-18T00:00:00Z'),
    overrides: { calendar: { weekly: [] }, spend: { maxModelDollarsPerHour: 1_000 } },
    says: /cost up to \$1,636 an hour at the calendar's peak, the ceiling is \$1,000/,
    fix: /to at least 1,636/,
  },
]);

test('a model that ends in 91 days is not yet worth a word', () => {
  const overrides = {
    models: { models: { 'claude-haiku-4-5': { lifecycle: { endOfLifeOn: '2026-09-02' } } } },
  };
  expect(contradictionsIn('model-retiring', overrides)).toEqual([]);
});

test('an event whose demand fits the quotas is not mentioned', () => {
  const rich = configure().quotas.map((quota) => ({
    ...quota,
    requestsPerMinute: 10_000,
    tokensPerMinute: 100_000_000,
  }));
  expect(contradictionsIn('quota-below-event-peak', { quotas: rich })).toEqual([]);
});

test('a tenant that must stay in Japan is served there by every alias, with room to fail over', () => {
  const overrides = { tenants: { acme: { residencies: ['jp' as const] }, other: {} } };
  expect(contradictionsIn('tenant-without-target', overrides)).toEqual([]);
  expect(contradictionsIn('tenant-without-failover', overrides)).toEqual([]);
});

test('an id that only looks like a member of the configuration is no tenant', () => {
  const { tenants } = configure({ tenants: { acme: { residencies: ['jp'] } } });
  expect(residenciesOf(tenants, 'acme')).toEqual(['jp']);
  expect(residenciesOf(tenants, 'constructor')).toBeNull();
  expect(residenciesOf(tenants, '__proto__')).toBeNull();
});
