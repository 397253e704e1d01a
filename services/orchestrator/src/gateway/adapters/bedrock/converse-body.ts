import type { Model } from '@matsuri/contract';

import type { ModelRequest } from '../../core/model-request';
import { converseMessages, converseSystem } from './converse-content';
import type { ConverseMessage, SystemContent } from './converse-content';
import { thinkingFields } from './thinking-fields';
import type { ThinkingFields } from './thinking-fields';
import { toolConfig } from './tool-config';
import type { ToolConfig } from './tool-config';

/** The body of Converse and ConverseStream, as far as the gateway uses it. */
export interface ConverseBody {
  readonly messages: readonly ConverseMessage[];
  readonly system?: readonly SystemContent[];
  readonly inferenceConfig: InferenceConfig;
  readonly toolConfig?: ToolConfig;
  readonly additionalModelRequestFields?: ThinkingFields;
  readonly serviceTier?: { readonly type: string };
}

interface InferenceConfig {
  readonly maxTokens: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly stopSequences?: readonly string[];
}

/** Says a request in Bedrock's words, leaving out what the serving model would refuse it for. */
export function converseBody(request: ModelRequest, model: Model): ConverseBody {
  const maxTokens = Math.min(request.maxTokens, model.maxOutputTokens);
  const canCache = model.minCacheTokens > 0;
  const system = converseSystem(request.system, canCache);
  const tools = toolConfig(request);
  const thinking = thinkingFields(request, model.thinking, maxTokens);
  const { serviceTier = 'default' } = request;
  return {
    messages: converseMessages(request.messages, canCache),
    inferenceConfig: inferenceConfig(request, maxTokens, thinking !== undefined),
    ...(system.length > 0 && { system }),
    ...(tools && { toolConfig: tools }),
    ...(thinking && { additionalModelRequestFields: thinking }),
    ...(serviceTier !== 'default' && { serviceTier: { type: serviceTier } }),
  };
}

/** Claude samples thoughts in its own way: it takes no temperature then, and top_p only close to 1. */
const LEAST_TOP_P_WHEN_THINKING = 0.95;

function inferenceConfig(
  { temperature, topP, stopSequences }: ModelRequest,
  maxTokens: number,
  thinks: boolean,
): InferenceConfig {
  const sendsTemperature = temperature !== undefined && !thinks;
  // Newer models refuse the two together.
  const sendsTopP =
    topP !== undefined && !sendsTemperature && (!thinks || topP >= LEAST_TOP_P_WHEN_THINKING);
  return {
    maxTokens,
    ...(sendsTemperature && { temperature }),
    ...(sendsTopP && { topP }),
    ...(stopSequences && stopSequences.length > 0 && { stopSequences }),
  };
}
