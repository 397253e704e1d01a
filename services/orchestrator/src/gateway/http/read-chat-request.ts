import type { OpenAiError } from '../core/openai/refusal/open-ai-error';
import {
  parseChatRequest,
  type ParsedChatRequest,
} from '../core/openai/request/parse-chat-request';
import type { Exchange } from './exchange';
import type { HttpOptions } from './http-options';
import { readJson } from './read-json';

export type ReadResult =
  ParsedChatRequest | { readonly ok: false; readonly error: OpenAiError | undefined };

/** Reads a chat request; no error means that the client left in the middle of it. */
export async function readChatRequest(
  exchange: Exchange,
  { configuration, models, bodyMemory }: HttpOptions,
): Promise<ReadResult> {
  const { maxBodyBytes, defaultMaxTokens } = configuration.gateway;
  const body = await readJson(exchange, { maxBytes: maxBodyBytes, memory: bodyMemory });
  return body.ok ? parseChatRequest(body.value, { models, defaultMaxTokens }) : body;
}
