import type { ContentBlock, ModelMessage, SystemBlock, ToolOffer } from '../../model-request';
import { estimateSystemTokens, estimateToolTokens } from '../estimate-tokens';
import { CACHE_POINT } from './message-content';

/** What models take in one request. */
const MOST_CACHE_POINTS = 4;

export interface Prompt {
  readonly system: readonly SystemBlock[];
  readonly turns: readonly ModelMessage[];
}

interface CachePolicy {
  readonly tools: ToolOffer | undefined;
  /** 0 where prompts cannot be cached. */
  readonly minCacheTokens: number;
  /** The caller's own marks are all that is wanted. */
  readonly explicitOnly: boolean;
}

/**
 * Puts a cache point behind tools and instructions when these are long enough to be kept, and keeps the
 * caller's own marks, the latest first when there are too many.
 */
export function placeCachePoints(prompt: Prompt, policy: CachePolicy): Prompt {
  const system =
    !policy.explicitOnly && isWorthKeeping(prompt.system, policy)
      ? [...prompt.system, CACHE_POINT]
      : prompt.system;
  const points = countPoints(system) + sum(prompt.turns.map(({ content }) => countPoints(content)));
  if (points === 0) return { ...prompt, system };
  const surplus = policy.minCacheTokens === 0 ? points : Math.max(0, points - MOST_CACHE_POINTS);
  return surplus === 0 ? { ...prompt, system } : withoutFirst(surplus, { ...prompt, system });
}

function isWorthKeeping(
  system: readonly SystemBlock[],
  { tools, minCacheTokens }: CachePolicy,
): boolean {
  if (minCacheTokens === 0 || system.length === 0 || system.at(-1)?.type === 'cache-point') {
    return false;
  }
  const tokens = estimateSystemTokens(system) + estimateToolTokens(tools);
  return tokens >= minCacheTokens;
}

function withoutFirst(surplus: number, { system, turns }: Prompt): Prompt {
  let left = surplus;
  const keeps = (block: ContentBlock): boolean => {
    if (block.type !== 'cache-point' || left === 0) return true;
    left -= 1;
    return false;
  };
  return {
    system: system.filter(keeps),
    turns: turns.map(({ role, content }) => ({ role, content: content.filter(keeps) })),
  };
}

function countPoints(blocks: readonly ContentBlock[]): number {
  return blocks.filter(({ type }) => type === 'cache-point').length;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
