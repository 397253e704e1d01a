import type { OpenAiError } from '../../gateway/core/openai/refusal/open-ai-error';
import { refusal } from '../../gateway/core/openai/refusal/refusals';
import type { Entry } from './door';

/** What is said over HTTP to whom the door is shut; `undefined` where it is open. */
export function turnAway(entry: Entry): OpenAiError | undefined {
  return entry.admitted ? undefined : refusal('overloaded', { waitMs: entry.retryAfterMs });
}
