import { MODEL_CATALOGUE } from '@matsuri/contract';
import { unknownModels } from './model-names';

test('aliases, models and profiles are known', () => {
  const names = ['simple', 'claude-sonnet-5', 'jp.anthropic.claude-sonnet-5'];
  expect(unknownModels(MODEL_CATALOGUE, names)).toEqual([]);
});

test('typos and names of the language itself are not', () => {
  const names = ['simpel', 'simple', '__proto__', 'constructor', 'toString'];
  expect(unknownModels(MODEL_CATALOGUE, names)).toEqual([
    'simpel',
    '__proto__',
    'constructor',
    'toString',
  ]);
});
