import type { CachedInput } from './prompt-cache';
import type { QuotaUsage } from './quota';

/** Usage as a `metadata` event and a Converse response state it. */
export interface TokenUsage extends QuotaUsage {
  readonly outputTokens: number;
  readonly totalTokens: number;
  readonly cacheDetails?: CachedInput['written'];
}

/** Splits a prompt into what is fresh, read from the cache and written to it. */
export function inputUsage(promptTokens: number, cached: CachedInput): QuotaUsage {
  return {
    inputTokens: promptTokens - cached.readTokens - cached.writeTokens,
    cacheReadInputTokens: cached.readTokens,
    cacheWriteInputTokens: cached.writeTokens,
  };
}

/** The usage of a whole call; the total counts cached tokens too. */
export function totalUsage(
  input: QuotaUsage,
  outputTokens: number,
  written: CachedInput['written'],
): TokenUsage {
  const { inputTokens, cacheReadInputTokens, cacheWriteInputTokens } = input;
  return {
    ...input,
    outputTokens,
    totalTokens: inputTokens + cacheReadInputTokens + cacheWriteInputTokens + outputTokens,
    ...(written.length > 0 ? { cacheDetails: written } : {}),
  };
}
