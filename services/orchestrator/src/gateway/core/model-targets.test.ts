import { defaultConfiguration } from '@matsuri/contract';
import { quotaLimits } from './minute-limits';
import { chooseTargets, namesFor, targetTable } from './model-targets';

const { models, quotas, region } = defaultConfiguration;
const table = targetTable(models, quotaLimits(quotas), region);
const anything = { allowedModels: null, residencies: null };
const haiku = 'jp.anthropic.claude-haiku-4-5-20251001-v1:0';

function profilesFor(model: string, rules = {}): readonly string[] | string {
  const choice = chooseTargets(table, models, model, { ...anything, ...rules });
  return choice.kind === 'targets' ? choice.targets.map(({ profile }) => profile) : choice.reason;
}

test('an alias goes the way of the catalogue', () => {
  const choice = chooseTargets(table, models, 'complex', anything);
  expect(choice).toEqual({ kind: 'targets', targets: models.aliases.complex });
});

test('a profile id means this profile alone, at home first, and only where there is a quota', () => {
  expect(table.get(haiku)).toEqual([
    { profile: haiku, region: 'ap-northeast-1' },
    { profile: haiku, region: 'ap-northeast-3' },
  ]);
  expect(table.get('global.anthropic.claude-sonnet-5')).toHaveLength(1);
});

test('a tenant that must stay in Japan is never sent abroad', () => {
  expect(profilesFor('simple', { residencies: ['jp'] })).toEqual([haiku, haiku]);
  const abroad = 'global.anthropic.claude-sonnet-5';
  expect(profilesFor(abroad, { residencies: ['jp'] })).toBe('residency-not-allowed');
  expect(profilesFor(abroad, { residencies: ['jp'], allowedModels: [haiku] })).toBe(
    'model-not-allowed',
  );
  expect(namesFor(table, models, { ...anything, residencies: ['jp'] })).not.toContain(abroad);
});

test.each([
  ['an alias on the list stands for all its targets', ['simple'], 'simple', 3],
  ['a profile on the list lets its alias through to itself only', [haiku], 'simple', 2],
  ['an alias on the list lets none of its profiles be asked by name', ['simple'], haiku, 0],
  ['an empty list allows nothing', [], 'simple', 0],
])('%s', (_, allowedModels, model, targets) => {
  const profiles = profilesFor(model, { allowedModels });
  expect(targets === 0 ? profiles : profiles.length).toBe(
    targets === 0 ? 'model-not-allowed' : targets,
  );
});

test.each(['gpt-9', 'embed', 'amazon.titan-embed-text-v2:0', 'constructor', '__proto__'])(
  '%s is no chat model',
  (model) => {
    expect(profilesFor(model)).toBe('model-not-found');
  },
);

test('the names a caller may ask by begin with the aliases', () => {
  expect(namesFor(table, models, anything).slice(0, 2).sort()).toEqual(['complex', 'simple']);
  expect(namesFor(table, models, { ...anything, allowedModels: ['simple'] })).toEqual(['simple']);
});
