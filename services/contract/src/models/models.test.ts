import { MODEL_CATALOGUE } from './catalogue';
import { MODEL_ALIASES } from './model-schema';
import { modelOfProfile, priceNanoDollars, profileOf, targetName } from './pricing';
import { endOfLifeOf } from './retirements';

const NOTHING = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
const HAIKU = 'jp.anthropic.claude-haiku-4-5-20251001-v1:0';

function shippedProfile(id: string) {
  const profile = profileOf(MODEL_CATALOGUE, id);
  if (profile === undefined) throw new Error(`no profile ${id}`);
  return profile;
}

test.each([
  [{ ...NOTHING, inputTokens: 1_000_000 }, 1.1],
  [{ ...NOTHING, outputTokens: 1_000_000 }, 5.5],
  [{ ...NOTHING, cacheReadTokens: 1_000_000 }, 0.11],
  [{ ...NOTHING, cacheWriteTokens: 1_000_000 }, 1.375],
  [{ ...NOTHING, cacheWriteTokens: 1_000_000, cacheWriteOneHourTokens: 1_000_000 }, 2.2],
  [{ ...NOTHING, cacheWriteTokens: 1_000_000, cacheWriteOneHourTokens: 400_000 }, 1.705],
  [NOTHING, 0],
])('cache reads and writes are priced apart: %j costs $%d', (usage, dollars) => {
  expect(priceNanoDollars(shippedProfile(HAIKU), usage)).toBe(dollars * 1e9);
});

test('a single token has a price', () => {
  expect(priceNanoDollars(shippedProfile(HAIKU), { ...NOTHING, inputTokens: 1 })).toBe(1_100);
});

test.each(MODEL_ALIASES)('%s stays in Japan first', (alias) => {
  const [first] = MODEL_CATALOGUE.aliases[alias];
  expect(shippedProfile(first?.profile ?? '').residency).toBe('jp');
});

test.each(['simple', 'complex'] as const)(
  '%s tries the same model elsewhere before another model',
  (alias) => {
    const models = MODEL_CATALOGUE.aliases[alias].map(
      ({ profile }) => shippedProfile(profile).model,
    );
    const changes = models.filter((model, index) => index > 0 && model !== models[index - 1]);
    expect(changes.length).toBe(new Set(models).size - 1);
  },
);

test('a retired model is known by its id even where its entry has no date', () => {
  const lifecycle = {};
  expect(endOfLifeOf({ bedrockId: 'anthropic.claude-3-haiku-20240307-v1:0', lifecycle })).toBe(
    '2026-09-10',
  );
  expect(endOfLifeOf({ bedrockId: 'anthropic.claude-sonnet-5', lifecycle })).toBeUndefined();
});

test('a target has one spelling; an id outside the catalogue stands for nothing', () => {
  expect(targetName({ profile: 'a', region: 'b' })).toBe('a@b');
  expect(profileOf(MODEL_CATALOGUE, 'constructor')).toBeUndefined();
  expect(modelOfProfile(MODEL_CATALOGUE, 'nobody')).toBeUndefined();
});
