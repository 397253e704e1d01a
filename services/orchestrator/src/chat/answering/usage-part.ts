import type { CallUsage, ServedBy } from '../../gateway/gateway';
import type { AnswerPart } from '../ports';

/** A shared answer cost whoever asked first. */
export const NOTHING_USED = {
  usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
  costMicroUsd: 0,
};

/** What an answer cost, and who gave it. */
export function usagePart(
  { name: model }: ServedBy,
  { usage, costMicroUsd }: Pick<CallUsage, 'usage' | 'costMicroUsd'>,
): AnswerPart {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  const dollars = costMicroUsd / 1e6;
  return {
    type: 'usage',
    model,
    inputTokens,
    outputTokens,
    cacheReadTokens,
    cacheWriteTokens,
    dollars,
  };
}
