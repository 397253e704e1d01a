import type { TokenUsage } from '@matsuri/contract';

import { countMember, listMember, member, stringMember } from './json-member';

/** The `usage` of an answer or of a stream's metadata; undefined where there is none. */
export function readTokenUsage(holder: unknown): TokenUsage | undefined {
  const usage = member(holder, 'usage');
  if (typeof usage !== 'object' || usage === null) return undefined;
  const written = countMember(usage, 'cacheWriteInputTokens');
  const forAnHour = written === 0 ? 0 : writtenForAnHour(usage);
  return {
    inputTokens: countMember(usage, 'inputTokens'),
    outputTokens: countMember(usage, 'outputTokens'),
    cacheReadTokens: countMember(usage, 'cacheReadInputTokens'),
    cacheWriteTokens: written,
    ...(forAnHour > 0 && { cacheWriteOneHourTokens: Math.min(forAnHour, written) }),
  };
}

/** Bedrock breaks its cache writes down by how long they are kept. */
function writtenForAnHour(usage: object): number {
  let tokens = 0;
  for (const detail of listMember(usage, 'cacheDetails')) {
    if (stringMember(detail, 'ttl') === '1h') tokens += countMember(detail, 'inputTokens');
  }
  return tokens;
}
