import type { OpenAiError } from './open-ai-error';
import { shown } from './shown';

const LONGEST_PASSED_ON = 1_000;

/** How Bedrock and its models say that a prompt does not fit. */
const TOO_LONG = /too long|context (?:limit|window|length)|maximum (?:context|number of) tokens/i;

/**
 * A request that the model itself refused: the caller's to mend, so its words are passed on. Agents look for
 * `context_length_exceeded` to know when to shorten a conversation.
 */
export function upstreamRejection(message: string): OpenAiError {
  const tooLong = TOO_LONG.test(message);
  return {
    status: 400,
    error: {
      message: `The model refused the request: ${shown(message, LONGEST_PASSED_ON)}`,
      type: 'invalid_request_error',
      param: tooLong ? 'messages' : null,
      code: tooLong ? 'context_length_exceeded' : null,
    },
    headers: {},
  };
}
