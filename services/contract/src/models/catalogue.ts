import type { z } from 'zod';
import type { modelCatalogueSchema } from './model-schema';

type Catalogue = z.input<typeof modelCatalogueSchema>;
type Price = Catalogue['profiles'][string]['dollarsPerMillionTokens'];

const TOKYO = 'ap-northeast-1';
const OSAKA = 'ap-northeast-3';

/** Cache reads cost a tenth of input, writes a quarter more, writes for an hour twice as much. */
function priced(input: number, output: number): Price {
  const ofInput = (factor: number) => Number((input * factor).toFixed(6));
  return {
    input,
    output,
    cacheRead: ofInput(0.1),
    cacheWrite: ofInput(1.25),
    cacheWriteOneHour: ofInput(2),
  };
}

const EMBEDDING_PRICE: Price = {
  input: 0.02,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  cacheWriteOneHour: 0,
};

/**
 * Models as known in late 2026. Prices, burndown and cache minimums change without notice and differ between
 * sources: they are data, to be corrected per environment, never constants in code. No end of life was
 * announced for these models when this was written; `GetFoundationModel` says the current state.
 */
export const MODEL_CATALOGUE: Catalogue = {
  models: {
    'claude-sonnet-5': {
      bedrockId: 'anthropic.claude-sonnet-5',
      kind: 'chat',
      contextTokens: 1_000_000,
      maxOutputTokens: 128_000,
      thinking: 'adaptive',
      minCacheTokens: 1_024,
      // One source says 10, the generations before burn 5: the higher figure never overshoots a quota.
      outputBurndown: 10,
      lifecycle: {},
    },
    'claude-sonnet-4-6': {
      bedrockId: 'anthropic.claude-sonnet-4-6',
      kind: 'chat',
      contextTokens: 1_000_000,
      maxOutputTokens: 64_000,
      thinking: 'adaptive',
      minCacheTokens: 2_048,
      outputBurndown: 5,
      lifecycle: {},
    },
    'claude-haiku-4-5': {
      bedrockId: 'anthropic.claude-haiku-4-5-20251001-v1:0',
      kind: 'chat',
      contextTokens: 200_000,
      maxOutputTokens: 64_000,
      thinking: 'budget',
      minCacheTokens: 4_096,
      outputBurndown: 5,
      lifecycle: {},
    },
    'titan-embed-text-v2': {
      bedrockId: 'amazon.titan-embed-text-v2:0',
      kind: 'embedding',
      contextTokens: 8_192,
      maxOutputTokens: 0,
      thinking: 'none',
      minCacheTokens: 0,
      outputBurndown: 0,
      dimensions: 1_024,
      lifecycle: {},
    },
  },
  profiles: {
    'jp.anthropic.claude-sonnet-5': {
      model: 'claude-sonnet-5',
      residency: 'jp',
      callableFrom: [TOKYO, OSAKA],
      dollarsPerMillionTokens: priced(2.2, 11),
    },
    'global.anthropic.claude-sonnet-5': {
      model: 'claude-sonnet-5',
      residency: 'global',
      callableFrom: [TOKYO, OSAKA],
      dollarsPerMillionTokens: priced(2, 10),
    },
    'jp.anthropic.claude-sonnet-4-6': {
      model: 'claude-sonnet-4-6',
      residency: 'jp',
      callableFrom: [TOKYO, OSAKA],
      dollarsPerMillionTokens: priced(3.3, 16.5),
    },
    'jp.anthropic.claude-haiku-4-5-20251001-v1:0': {
      model: 'claude-haiku-4-5',
      residency: 'jp',
      callableFrom: [TOKYO, OSAKA],
      dollarsPerMillionTokens: priced(1.1, 5.5),
    },
    'global.anthropic.claude-haiku-4-5-20251001-v1:0': {
      model: 'claude-haiku-4-5',
      residency: 'global',
      callableFrom: [TOKYO, OSAKA],
      dollarsPerMillionTokens: priced(1, 5),
    },
    'amazon.titan-embed-text-v2:0': {
      model: 'titan-embed-text-v2',
      residency: 'jp',
      callableFrom: [TOKYO],
      dollarsPerMillionTokens: EMBEDDING_PRICE,
    },
  },
  aliases: {
    complex: [
      { profile: 'jp.anthropic.claude-sonnet-5', region: TOKYO },
      { profile: 'jp.anthropic.claude-sonnet-5', region: OSAKA },
      { profile: 'global.anthropic.claude-sonnet-5', region: TOKYO },
      { profile: 'jp.anthropic.claude-sonnet-4-6', region: TOKYO },
    ],
    simple: [
      { profile: 'jp.anthropic.claude-haiku-4-5-20251001-v1:0', region: TOKYO },
      { profile: 'jp.anthropic.claude-haiku-4-5-20251001-v1:0', region: OSAKA },
      { profile: 'global.anthropic.claude-haiku-4-5-20251001-v1:0', region: TOKYO },
    ],
    embed: [{ profile: 'amazon.titan-embed-text-v2:0', region: TOKYO }],
  },
};
