import { tooMany } from './faults';
import { isJsonObject, type JsonObject } from './json-object';

/** The most a request may hold; OpenAI's own figures where it has them. */
export const LIMITS = {
  messages: 2_048,
  /** Content parts and tool calls of all messages together. */
  pieces: 4_096,
  tools: 128,
  stopSequences: 4,
} as const;

/**
 * Throws when a list is too long to be looked at. It comes before the schema, which would describe every
 * wrong element of a list of millions.
 */
export function checkSizes(body: JsonObject): void {
  checkLength('messages', body['messages'], LIMITS.messages);
  checkLength('tools', body['tools'], LIMITS.tools);
  checkLength('stop', body['stop'], LIMITS.stopSequences);
  checkAllowedTools(body['tool_choice']);
  checkPieces(body['messages']);
}

function checkLength(param: string, list: unknown, most: number): void {
  if (Array.isArray(list) && list.length > most) throw tooMany(param, most, list.length);
}

function checkAllowedTools(choice: unknown): void {
  if (!isJsonObject(choice)) return;
  const allowed = choice['allowed_tools'];
  if (!isJsonObject(allowed)) return;
  checkLength('tool_choice.allowed_tools.tools', allowed['tools'], LIMITS.tools);
}

function checkPieces(messages: unknown): void {
  if (!Array.isArray(messages)) return;
  let pieces = 0;
  messages.forEach((message: unknown, index) => {
    if (!isJsonObject(message)) return;
    for (const field of ['content', 'tool_calls']) {
      const list = message[field];
      if (!Array.isArray(list)) continue;
      pieces += list.length;
      if (pieces > LIMITS.pieces)
        throw tooMany(`messages[${index}].${field}`, LIMITS.pieces, pieces);
    }
  });
}
