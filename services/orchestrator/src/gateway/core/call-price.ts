import { priceNanoDollars, type InferenceProfile, type TokenUsage } from '@matsuri/contract';
import type { ModelRequest } from './model-request';

const NANO_PER_MICRO = 1_000;

/** What usage costs in millionths of a dollar, rounded up: many small calls never come for free. */
export function priceMicroUsd(profile: InferenceProfile, usage: TokenUsage): number {
  return Math.ceil(priceNanoDollars(profile, usage) / NANO_PER_MICRO);
}

/** The most a call can cost: all of its input at its dearest, all of its output. */
export function reservedMicroUsd(
  profile: InferenceProfile,
  request: ModelRequest,
  inputTokens: number,
): number {
  const { input, cacheWrite, cacheWriteOneHour } = profile.dollarsPerMillionTokens;
  const kept = longestCacheTtl(request);
  const dearest = kept === undefined ? input : kept === '1h' ? cacheWriteOneHour : cacheWrite;
  const priced = {
    ...profile,
    dollarsPerMillionTokens: {
      ...profile.dollarsPerMillionTokens,
      input: Math.max(input, dearest),
    },
  };
  return priceMicroUsd(priced, {
    inputTokens,
    outputTokens: request.maxTokens,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
  });
}

/** How long the request asks the model to keep some of it; `undefined`: not at all. */
function longestCacheTtl(request: ModelRequest): '5m' | '1h' | undefined {
  let longest: '5m' | '1h' | undefined;
  for (const blocks of [request.system, ...request.messages.map(({ content }) => content)]) {
    for (const block of blocks) {
      if (block.type !== 'cache-point') continue;
      if (block.ttl === '1h') return '1h';
      longest = '5m';
    }
  }
  return longest;
}
