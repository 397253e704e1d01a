import { dollars, modelName } from './figures';

test.each([
  [0, '$0'],
  [1.234, '$1.23'],
  [0.0123, '$0.012'],
  [0.000_034_5, '$0.000034'],
])('%d dollars read as %s', (amount, text) => {
  expect(dollars(amount)).toBe(text);
});

test.each([
  ['jp.anthropic.claude-sonnet-5@ap-northeast-1', 'claude-sonnet-5'],
  ['jp.anthropic.claude-haiku-4-5-20251001-v1:0@ap-northeast-1', 'claude-haiku-4-5'],
  ['simple', 'simple'],
])('the model %s is called %s', (id, name) => {
  expect(modelName(id)).toBe(name);
});
