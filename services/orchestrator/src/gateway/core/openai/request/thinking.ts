import type { Model } from '@matsuri/contract';

import type { ModelRequest } from '../../model-request';
import type { ChatRequest } from './chat-request-schema';
import { onlyDefault, unsupported } from './faults';

type Effort = NonNullable<ModelRequest['thinking']>['effort'];

const EFFORT_OF = {
  none: undefined,
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
  max: 'high',
} as const satisfies Record<NonNullable<ChatRequest['reasoning_effort']>, Effort | undefined>;

/** Output tokens for thoughts on top of the default, when the caller set no limit. */
const THINKING_ROOM_TOKENS: Readonly<Record<Effort, number>> = {
  low: 2_048,
  medium: 8_192,
  high: 16_384,
};

type ThinkingParameters = Pick<ChatRequest, 'reasoning_effort' | 'temperature' | 'top_p'>;

/** The effort a caller asks for, checked against what goes with it. */
export function readEffort(request: ThinkingParameters, model: Model): Effort | undefined {
  const effort = EFFORT_OF[request.reasoning_effort ?? 'none'];
  if (effort === undefined) return undefined;
  if (model.thinking === 'none') throw unsupported('reasoning_effort');
  // A model that thinks samples in its own way.
  for (const param of ['temperature', 'top_p'] as const) {
    const value = request[param];
    if (typeof value === 'number' && value !== 1) throw onlyDefault(param, value, '1');
  }
  return effort;
}

/** The output limit of a caller who set none: thoughts count as output, and need room beside the answer. */
export function standardMaxTokens(defaultMaxTokens: number, effort: Effort | undefined): number {
  return defaultMaxTokens + (effort === undefined ? 0 : THINKING_ROOM_TOKENS[effort]);
}
