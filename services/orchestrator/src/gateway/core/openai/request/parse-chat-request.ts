import type { Model } from '@matsuri/contract';

import type { ModelRequest } from '../../model-request';
import type { OpenAiError } from '../refusal/open-ai-error';
import { refusal } from '../refusal/refusals';
import type { ReplyStyle } from '../reply/reply-style';
import { placeCachePoints, type Prompt } from './cache-points';
import { chatRequestSchema, type ChatRequest } from './chat-request-schema';
import { readConversation } from './conversation';
import { wrongType } from './faults';
import { InvalidRequestError } from './invalid-request-error';
import { isJsonObject } from './json-object';
import { checkParameters } from './parameters';
import { readResponseFormat, type ResponseForm } from './response-format';
import { readMaxTokens, readSampling } from './sampling';
import { shapeFault } from './shape-fault';
import { checkSizes } from './sizes';
import { readEffort, standardMaxTokens } from './thinking';
import { toolHistoryAsText } from './tool-history-as-text';
import { readTools } from './tools';

export interface ParseOptions {
  /** The models that can be asked, by every name they have (`chatModels`). */
  readonly models: ReadonlyMap<string, Model>;
  /** The output limit of a caller who sets none. */
  readonly defaultMaxTokens: number;
}

export interface ParsedChatRequest {
  readonly ok: true;
  readonly request: ModelRequest;
  readonly stream: boolean;
  /** Whether a stream ends with a usage chunk. */
  readonly includeUsage: boolean;
  /** To be handed to whatever renders the answer. */
  readonly style: ReplyStyle;
}

export type ParseOutcome = ParsedChatRequest | { readonly ok: false; readonly error: OpenAiError };

/** Reads a request off OpenAI's wire. It never throws: what it cannot take is an error with a 4xx status. */
export function parseChatRequest(body: unknown, options: ParseOptions): ParseOutcome {
  try {
    const wire = readShape(body);
    const model = options.models.get(wire.model);
    if (model === undefined) {
      return { ok: false, error: refusal('model-not-found', { subject: wire.model }) };
    }
    return translated(wire, model, options);
  } catch (error) {
    if (error instanceof InvalidRequestError) return { ok: false, error: error.toOpenAiError() };
    throw error;
  }
}

function readShape(body: unknown): ChatRequest {
  if (!isJsonObject(body)) throw wrongType('body', 'an object', body);
  checkParameters(body);
  checkSizes(body);
  const parsed = chatRequestSchema.safeParse(body, { reportInput: true });
  if (!parsed.success) throw shapeFault(parsed.error);
  return parsed.data;
}

function translated(wire: ChatRequest, model: Model, options: ParseOptions): ParsedChatRequest {
  const effort = readEffort(wire, model);
  const form = readResponseFormat(wire.response_format, readTools(wire));
  const { tools, answerTool } = form;
  const prompt = readPrompt(wire, model, form);
  return {
    ok: true,
    request: {
      model: wire.model,
      system: prompt.system,
      messages: prompt.turns,
      ...(tools !== undefined && { tools }),
      maxTokens: readMaxTokens(wire, model, standardMaxTokens(options.defaultMaxTokens, effort)),
      ...readSampling(wire),
      ...(effort !== undefined && { thinking: { effort } }),
    },
    ...readStreaming(wire),
    style: {
      ...(answerTool !== undefined && { answerTool }),
      ...(wire.parallel_tool_calls === false && { singleToolCall: true }),
    },
  };
}

function readPrompt(wire: ChatRequest, model: Model, { tools, instruction }: ResponseForm): Prompt {
  const { system, turns } = readConversation(wire.messages);
  return placeCachePoints(
    {
      system: instruction === undefined ? system : [...system, instruction],
      turns: tools === undefined ? toolHistoryAsText(turns) : turns,
    },
    {
      tools,
      minCacheTokens: model.minCacheTokens,
      explicitOnly: wire.prompt_cache_options?.mode === 'explicit',
    },
  );
}

function readStreaming(wire: ChatRequest): Pick<ParsedChatRequest, 'stream' | 'includeUsage'> {
  const stream = wire.stream ?? false;
  if (wire.stream_options && !stream) {
    throw new InvalidRequestError(
      "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
      'stream_options',
    );
  }
  return { stream, includeUsage: wire.stream_options?.include_usage ?? false };
}
