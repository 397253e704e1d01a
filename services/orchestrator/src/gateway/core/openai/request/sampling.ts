import type { Model } from '@matsuri/contract';

import type { ModelRequest } from '../../model-request';
import type { ChatRequest } from './chat-request-schema';
import { invalid } from './faults';
import { InvalidRequestError } from './invalid-request-error';

type Sampling = Pick<ModelRequest, 'temperature' | 'topP' | 'stopSequences' | 'serviceTier'>;

/** Hotter than this the models do not get; OpenAI's scale goes to 2. */
const HOTTEST = 1;

/** How the answer is drawn. Defaults are left out: not every model takes both kinds of sampling at once. */
export function readSampling(request: ChatRequest): Sampling {
  const { temperature, top_p: topP } = request;
  const stopSequences = readStop(request.stop);
  const serviceTier = SERVICE_TIER_OF[request.service_tier ?? 'auto'];
  return {
    ...(typeof temperature === 'number' &&
      temperature !== 1 && { temperature: Math.min(temperature, HOTTEST) }),
    ...(typeof topP === 'number' && topP !== 1 && { topP }),
    ...(stopSequences.length > 0 && { stopSequences }),
    ...(serviceTier !== undefined && { serviceTier }),
  };
}

const SERVICE_TIER_OF = {
  auto: undefined,
  scale: undefined,
  default: 'default',
  flex: 'flex',
  priority: 'priority',
  fast: 'priority',
} as const satisfies Record<NonNullable<ChatRequest['service_tier']>, Sampling['serviceTier']>;

function readStop(stop: ChatRequest['stop']): string[] {
  const sequences = typeof stop === 'string' ? [stop] : (stop ?? []);
  return sequences.map((sequence, at) => {
    if (sequence.trim() === '') {
      const param = typeof stop === 'string' ? 'stop' : `stop[${at}]`;
      throw invalid(param, 'a stop sequence of white space only is not supported with this model.');
    }
    return sequence.toWellFormed();
  });
}

/** The output limit that is sent, always: an unset one would reserve all the model can say. */
export function readMaxTokens(
  request: Pick<ChatRequest, 'max_tokens' | 'max_completion_tokens'>,
  model: Model,
  standard: number,
): number {
  const { max_tokens: older, max_completion_tokens: newer } = request;
  if (typeof older === 'number' && typeof newer === 'number') {
    throw new InvalidRequestError(
      "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
      'max_tokens',
      'invalid_parameter_combination',
    );
  }
  const wanted = newer ?? older;
  if (wanted === null || wanted === undefined) return Math.min(standard, model.maxOutputTokens);
  if (wanted > model.maxOutputTokens)
    throw tooLarge(newer ? 'max_completion_tokens' : 'max_tokens', wanted, model);
  return wanted;
}

function tooLarge(param: string, wanted: number, model: Model): InvalidRequestError {
  return new InvalidRequestError(
    `${param} is too large: ${wanted}. This model supports at most ${model.maxOutputTokens} completion tokens, whereas you provided ${wanted}.`,
    param,
    'invalid_value',
  );
}
