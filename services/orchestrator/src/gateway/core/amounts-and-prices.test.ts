import { defaultConfiguration } from '@matsuri/contract';
import fc from 'fast-check';
import { priceMicroUsd, reservedMicroUsd } from './call-price';
import { limitingDimension } from './minute-limits';
import type { ModelRequest } from './model-request';
import { reservedAmounts, settledAmounts } from './token-amounts';

const { models } = defaultConfiguration;
const profile = models.profiles['jp.anthropic.claude-haiku-4-5-20251001-v1:0'];
const model = models.models['claude-haiku-4-5'];
if (!profile || !model) throw new Error('the catalogue has lost its haiku');

const request = (cache?: '5m' | '1h'): ModelRequest => ({
  model: 'simple',
  system: cache ? [{ type: 'cache-point', ttl: cache }] : [],
  messages: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }],
  maxTokens: 1_000,
});

test('a call reserves all that goes in and all that may come out', () => {
  expect(reservedAmounts(200, 1_000)).toEqual({ requests: 1, tokens: 1_200 });
});

test('it settles with the burndown of its output; what was read from the cache is free', () => {
  const usage = {
    inputTokens: 100,
    outputTokens: 20,
    cacheReadTokens: 5_000,
    cacheWriteTokens: 50,
  };
  expect(settledAmounts(model, usage).tokens).toBe(100 + 50 + 20 * model.outputBurndown);
});

test('the reservation is dearer the longer the model is asked to remember', () => {
  const [plain = 0, minutes = 0, hour = 0] = [undefined, '5m' as const, '1h' as const].map(
    (cache) => reservedMicroUsd(profile, request(cache), 10_000),
  );
  expect(plain).toBe(Math.ceil(10_000 * 1.1 + 1_000 * 5.5));
  expect(minutes).toBeGreaterThan(plain);
  expect(hour).toBeGreaterThan(minutes);
});

test('no call within its reservation costs more than was reserved', () => {
  const tokens = fc.nat(50_000);
  fc.assert(
    fc.property(tokens, tokens, tokens, fc.integer({ min: 0, max: 1_000 }), (a, b, c, output) => {
      const usage = {
        inputTokens: a,
        cacheReadTokens: b,
        cacheWriteTokens: c,
        outputTokens: output,
      };
      const kept = { ...usage, cacheWriteOneHourTokens: c };
      return (
        priceMicroUsd(profile, usage) <= reservedMicroUsd(profile, request('5m'), a + b + c) &&
        priceMicroUsd(profile, kept) <= reservedMicroUsd(profile, request('1h'), a + b + c)
      );
    }),
  );
});

test('many small calls are not free', () => {
  const usage = { inputTokens: 1, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
  expect(priceMicroUsd(profile, usage)).toBe(2);
});

test('a refused call is told of the limit it takes the larger part of', () => {
  expect(limitingDimension({ requests: 10, tokens: 1_000 }, { requests: 1, tokens: 50 })).toBe(
    'requests',
  );
  expect(limitingDimension({ requests: 10, tokens: 1_000 }, { requests: 1, tokens: 500 })).toBe(
    'tokens',
  );
});
