import type { Model, TokenUsage } from '@matsuri/contract';

/** What a call takes from its quotas. */
export interface CallAmounts {
  readonly requests: number;
  readonly tokens: number;
}

/** At the start: everything that goes in, cached or not, and everything that may come out. */
export function reservedAmounts(inputTokens: number, maxTokens: number): CallAmounts {
  return { requests: 1, tokens: inputTokens + maxTokens };
}

/** At the end: reads from the prompt cache are free, each output token burns several. */
export function settledAmounts(model: Model, usage: TokenUsage): CallAmounts {
  const burnt = usage.outputTokens * model.outputBurndown;
  return { requests: 1, tokens: Math.ceil(usage.inputTokens + usage.cacheWriteTokens + burnt) };
}
