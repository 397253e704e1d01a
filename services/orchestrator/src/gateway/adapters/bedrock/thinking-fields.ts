import type { Model } from '@matsuri/contract';

import type { ModelRequest } from '../../core/model-request';

type Effort = NonNullable<ModelRequest['thinking']>['effort'];

/** Members that Claude reads and Converse passes on unseen. */
export type ThinkingFields =
  | { readonly thinking: { readonly type: 'enabled'; readonly budget_tokens: number } }
  | {
      readonly thinking: { readonly type: 'adaptive' };
      readonly output_config: { readonly effort: Effort };
    };

const LEAST_BUDGET_TOKENS = 1_024;
/** The share of the answer's limit that thoughts may take. */
const BUDGET_SHARE: Readonly<Record<Effort, number>> = { low: 0.2, medium: 0.5, high: 0.8 };

/**
 * How a model is told to think; undefined when it was not asked to or cannot: not with a tool forced upon it,
 * not within so few tokens, and, where a budget is given, not right after a tool's result, because that turn
 * would have to begin with the signed thoughts, which the gateway's callers do not keep.
 */
export function thinkingFields(
  request: ModelRequest,
  kind: Model['thinking'],
  maxTokens: number,
): ThinkingFields | undefined {
  const effort = request.thinking?.effort;
  if (effort === undefined || kind === 'none' || forcesTool(request)) return undefined;
  if (kind === 'adaptive') return { thinking: { type: 'adaptive' }, output_config: { effort } };
  if (maxTokens <= LEAST_BUDGET_TOKENS || answersTool(request)) return undefined;
  const share = Math.floor(maxTokens * BUDGET_SHARE[effort]);
  return {
    thinking: { type: 'enabled', budget_tokens: Math.max(LEAST_BUDGET_TOKENS, share) },
  };
}

function forcesTool({ tools }: ModelRequest): boolean {
  return tools !== undefined && tools.choice !== 'auto';
}

function answersTool({ messages }: ModelRequest): boolean {
  return messages.at(-1)?.content.some(({ type }) => type === 'tool-result') ?? false;
}
