import type { ContentBlock } from '../../model-request';
import { shown } from '../refusal/shown';
import type { AssistantMessage, ToolMessage } from './chat-request-schema';
import { invalid } from './faults';
import { InvalidRequestError } from './invalid-request-error';
import { jsonFault } from './json-bounds';
import { isJsonObject, type JsonObject } from './json-object';
import { CACHE_POINT, textOf } from './message-content';
import { parseJson } from './parse-json';

type OpenAiToolCall = NonNullable<AssistantMessage['tool_calls']>[number];

const LONGEST_LIST = 1_000;

const UPSTREAM_ID = /^[a-zA-Z0-9_-]{1,64}$/;

interface PendingCall {
  readonly upstreamId: string;
  /** Index of the message that answered it. */
  answeredAt?: number;
}

/**
 * Pairs tool calls with their results. Results follow the calls directly, one for each, as both OpenAI and
 * Converse demand; the refusals are OpenAI's, to the letter.
 */
export class ToolExchange {
  private pending = new Map<string, PendingCall>();
  private pendingAt = 0;
  private readonly usedIds = new Set<string>();

  /** The calls of an assistant message, which await their results from here on. */
  call(calls: readonly OpenAiToolCall[], at: number): ContentBlock[] {
    this.pending = new Map();
    this.pendingAt = at;
    return calls.map((call, index) => {
      if (this.pending.has(call.id)) throw duplicate(call.id, at, at, `tool_calls[${index}].id`);
      const upstreamId = this.claimId(call.id);
      this.pending.set(call.id, { upstreamId });
      const input = readArguments(call, `messages[${at}].tool_calls[${index}].function.arguments`);
      return { type: 'tool-use', id: upstreamId, name: call.function.name, input };
    });
  }

  /** The result a tool message carries. */
  result(message: ToolMessage, at: number): ContentBlock[] {
    const { tool_call_id: id, content } = message;
    if (this.pending.size === 0) throw orphan(at);
    const call = this.pending.get(id);
    if (call === undefined) throw stranger(id, at);
    if (call.answeredAt !== undefined) throw duplicate(id, call.answeredAt, at, 'tool_call_id');
    call.answeredAt = at;
    const result: ContentBlock = {
      type: 'tool-result',
      id: call.upstreamId,
      text: textOf(content),
      failed: false,
    };
    return isMarked(content) ? [result, CACHE_POINT] : [result];
  }

  /** To be called before anything but a tool message, and at the end: every call has its result. */
  settle(): void {
    const waiting = [...this.pending].filter(([, call]) => call.answeredAt === undefined);
    if (waiting.length > 0) {
      const ids = shown(waiting.map(([id]) => id).join(', '), LONGEST_LIST);
      throw new InvalidRequestError(
        `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${ids}`,
        `messages.[${this.pendingAt}].role`,
      );
    }
    this.pending = new Map();
  }

  /**
   * Models take fewer characters in an id than OpenAI, and none twice in a conversation. Another one is counted
   * from the beginning, so that a growing conversation keeps its prefix, and with it its cache.
   */
  private claimId(id: string): string {
    let upstreamId = id;
    for (let next = this.usedIds.size; !this.isFree(upstreamId); next += 1) {
      upstreamId = `call_${next}`;
    }
    this.usedIds.add(upstreamId);
    return upstreamId;
  }

  private isFree(id: string): boolean {
    return UPSTREAM_ID.test(id) && !this.usedIds.has(id);
  }
}

function readArguments(call: OpenAiToolCall, param: string): JsonObject {
  const text = call.function.arguments;
  if (text.trim() === '') return {};
  const parsed = parseJson(text);
  if (!parsed.ok || !isJsonObject(parsed.value)) {
    throw invalid(param, 'expected a JSON object of moderate size in a string.');
  }
  const fault = jsonFault(parsed.value);
  if (fault !== undefined) throw invalid(param, fault);
  return parsed.value;
}

function isMarked(content: ToolMessage['content']): boolean {
  const last = typeof content === 'string' ? undefined : content.at(-1);
  return Boolean(last?.prompt_cache_breakpoint ?? last?.cache_control);
}

function orphan(at: number): InvalidRequestError {
  return new InvalidRequestError(
    // The spelling is theirs, and people search for it.
    "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
    `messages.[${at}].role`,
  );
}

function stranger(id: string, at: number): InvalidRequestError {
  return new InvalidRequestError(
    `Invalid parameter: 'tool_call_id' of '${shown(id)}' not found in 'tool_calls' of previous message.`,
    `messages.[${at}].tool_call_id`,
  );
}

function duplicate(id: string, first: number, second: number, field: string): InvalidRequestError {
  return new InvalidRequestError(
    `Invalid parameter: Duplicate value for 'tool_call_id' of '${shown(id)}', in messages[${first}] and messages[${second}].`,
    `messages.[${second}].${field}`,
  );
}
