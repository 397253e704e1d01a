import type { GatewayRefusal } from '../core/gateway-refusal';
import type { OpenAiError } from '../core/openai/refusal/open-ai-error';
import { refusal } from '../core/openai/refusal/refusals';
import { upstreamRejection } from '../core/openai/refusal/upstream-rejection';

/** The gateway's refusal in the words and codes of OpenAI. */
export function renderRefusal(refused: GatewayRefusal): OpenAiError {
  if (refused.reason === 'upstream-rejected') return upstreamRejection(refused.message);
  const { reason, ...details } = refused;
  return refusal(reason, details);
}
