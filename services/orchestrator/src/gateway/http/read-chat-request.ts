import type { OpenAiError } from '../core/openai/refusal/open-ai-error';
import { refusal } from '../core/openai/refusal/refusals';
import {
  parseChatRequest,
  type ParsedChatRequest,
} from '../core/openai/request/parse-chat-request';
import { header, type Exchange } from './exchange';
import type { HttpOptions } from './http-options';
import { parseJson } from './parse-json';
import { readBody } from './read-body';

export type ReadResult =
  | ParsedChatRequest
  | { readonly ok: false; readonly error: OpenAiError }
  | { readonly ok: false; readonly error: undefined };

// A body of the largest size still arrives in this time over a slow line.
const BODY_TIMEOUT_MS = 30_000;
const OVERLOADED_WAIT_MS = 1_000;

/** Reads a chat request; no error means that the client left in the middle of it. */
export async function readChatRequest(
  { incoming }: Exchange,
  { configuration, models, bodyMemory }: HttpOptions,
): Promise<ReadResult> {
  const { maxBodyBytes, defaultMaxTokens } = configuration.gateway;
  const mediaType = header(incoming, 'content-type') ?? '';
  if (!JSON_TYPE.test(mediaType)) {
    return { ok: false, error: refusal('media-type-unsupported', { subject: mediaType }) };
  }
  const encoding = header(incoming, 'content-encoding') ?? 'identity';
  if (encoding !== 'identity') {
    return { ok: false, error: refusal('media-type-unsupported', { subject: encoding }) };
  }
  const limits = { maxBytes: maxBodyBytes, timeoutMs: BODY_TIMEOUT_MS };
  const body = await readBody(incoming, limits, bodyMemory);
  switch (body.kind) {
    case 'gone':
      return { ok: false, error: undefined };
    case 'late':
      return { ok: false, error: refusal('body-late') };
    case 'too-large':
      return { ok: false, error: refusal('body-too-large', { subject: maxBodyBytes }) };
    case 'overloaded':
      return { ok: false, error: refusal('overloaded', { waitMs: OVERLOADED_WAIT_MS }) };
    case 'body': {
      const json = parseJson(body.bytes);
      if (!json) return { ok: false, error: refusal('body-unreadable') };
      return parseChatRequest(json.value, { models, defaultMaxTokens });
    }
  }
}

const JSON_TYPE = /^application\/(?:json|[\w.-]+\+json)\s*(?:;|$)/i;
