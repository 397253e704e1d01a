import type { TokenUsage } from '@matsuri/contract';

import { countMember, member } from './json-member';

/** The `usage` of an answer or of a stream's metadata; undefined where there is none. */
export function readTokenUsage(holder: unknown): TokenUsage | undefined {
  const usage = member(holder, 'usage');
  if (typeof usage !== 'object' || usage === null) return undefined;
  return {
    inputTokens: countMember(usage, 'inputTokens'),
    outputTokens: countMember(usage, 'outputTokens'),
    cacheReadTokens: countMember(usage, 'cacheReadInputTokens'),
    cacheWriteTokens: countMember(usage, 'cacheWriteInputTokens'),
  };
}
