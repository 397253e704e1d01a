import type { OpenAiError } from '../../gateway/core/openai/refusal/open-ai-error';
import { refusal } from '../../gateway/core/openai/refusal/refusals';
import type { Welcome } from './door';

/** What is said over HTTP to whom the door is shut; `undefined` where it is open. */
export function turnAway(welcome: Welcome): OpenAiError | undefined {
  return welcome.admitted ? undefined : refusal('overloaded', { waitMs: welcome.retryAfterMs });
}
