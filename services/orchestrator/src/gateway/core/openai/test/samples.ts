import { defaultConfiguration } from '@matsuri/contract';

import { chatModels } from '../chat-models';
import type { OpenAiError } from '../refusal/open-ai-error';
import {
  parseChatRequest,
  type ParsedChatRequest,
  type ParseOptions,
} from '../request/parse-chat-request';

export const OPTIONS: ParseOptions = {
  models: chatModels(defaultConfiguration.models),
  defaultMaxTokens: 1_024,
};

const HELLO = { model: 'simple', messages: [{ role: 'user', content: 'Hello' }] };

/** A request with these members set or replaced, as it is understood. */
export function accepted(members: object = {}): ParsedChatRequest {
  const outcome = parseChatRequest({ ...HELLO, ...members }, OPTIONS);
  if (!outcome.ok) throw new Error(`refused: ${outcome.error.error.message}`);
  return outcome;
}

/** A request with these members set or replaced, as it is refused. */
export function refused(members: object): OpenAiError {
  const outcome = parseChatRequest({ ...HELLO, ...members }, OPTIONS);
  if (outcome.ok) throw new Error('accepted');
  return outcome.error;
}

/** What a conversation becomes. */
export function conversation(...messages: object[]): ParsedChatRequest['request'] {
  return accepted({ messages }).request;
}

export const user = (content: unknown) => ({ role: 'user', content });
export const assistant = (content: unknown, rest: object = {}) => ({
  role: 'assistant',
  content,
  ...rest,
});
export const toolCall = (id: string, name = 'look_up', args = '{}') => ({
  id,
  type: 'function',
  function: { name, arguments: args },
});
export const toolCalls = (...ids: string[]) =>
  assistant(null, { tool_calls: ids.map((id) => toolCall(id)) });
export const toolResult = (id: string, content: unknown = 'found') => ({
  role: 'tool',
  tool_call_id: id,
  content,
});
export const lookUp = (parameters?: unknown) => ({
  type: 'function',
  function: { name: 'look_up', description: 'Looks a title up', parameters },
});

export const text = (words: string) => ({ type: 'text', text: words });
