import type { TokenUsage } from '@matsuri/contract';

/** Tokens of a completion as OpenAI counts them. */
export interface CompletionUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly prompt_tokens_details: {
    readonly cached_tokens: number;
    readonly cache_write_tokens: number;
  };
  readonly completion_tokens_details: { readonly reasoning_tokens?: number };
}

/**
 * OpenAI's prompt tokens include the cached ones, Bedrock's input tokens do not. Bedrock does not tell how
 * many output tokens were thoughts: after thinking the figure is left out instead of invented.
 */
export function completionUsage(usage: TokenUsage, thought: boolean): CompletionUsage {
  const promptTokens = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  return {
    prompt_tokens: promptTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: promptTokens + usage.outputTokens,
    prompt_tokens_details: {
      cached_tokens: usage.cacheReadTokens,
      cache_write_tokens: usage.cacheWriteTokens,
    },
    completion_tokens_details: thought ? {} : { reasoning_tokens: 0 },
  };
}
