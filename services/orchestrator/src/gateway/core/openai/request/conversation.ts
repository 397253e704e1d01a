import type { ContentBlock, ModelMessage, SystemBlock } from '../../model-request';
import type { AssistantMessage, Message } from './chat-request-schema';
import { invalid, unsupported } from './faults';
import { MOST_IMAGES_PER_TURN } from './image';
import { InvalidRequestError } from './invalid-request-error';
import { contentOfAssistant, contentOfInstruction, contentOfUser } from './message-content';
import { ToolExchange } from './tool-exchange';
import { Turns } from './turns';

/** A conversation as Converse wants it: instructions apart, user and assistant in turn, the user first and last. */
export interface Conversation {
  readonly system: readonly SystemBlock[];
  readonly turns: readonly ModelMessage[];
}

/** Reads a conversation; instructions move to the front wherever they stood. */
export function readConversation(messages: readonly Message[]): Conversation {
  const system: SystemBlock[] = [];
  const turns = new Turns();
  const tools = new ToolExchange();
  messages.forEach((message, at) => {
    if (message.role !== 'tool') tools.settle();
    switch (message.role) {
      case 'system':
      case 'developer':
        system.push(...contentOfInstruction(message.content));
        break;
      case 'user':
        turns.add('user', contentOfUser(message.content, `messages[${at}].content`));
        break;
      case 'assistant':
        turns.add('assistant', readAssistant(message, at, tools));
        break;
      case 'tool':
        turns.add('user', tools.result(message, at));
        break;
    }
  });
  tools.settle();
  return arranged(system, turns, messages.length - 1);
}

function readAssistant(message: AssistantMessage, at: number, tools: ToolExchange): ContentBlock[] {
  const { content, refusal, tool_calls: calls, function_call: legacyCall } = message;
  if (legacyCall !== undefined && legacyCall !== null) {
    throw unsupported(`messages[${at}].function_call`, 'tool_calls');
  }
  if ((content ?? refusal ?? calls ?? undefined) === undefined) {
    throw new InvalidRequestError(
      "Invalid value for 'content': expected a string, got null.",
      `messages.[${at}].content`,
    );
  }
  return [...contentOfAssistant(message), ...tools.call(calls ?? [], at)];
}

function arranged(system: SystemBlock[], turns: Turns, lastIndex: number): Conversation {
  // Instructions alone are a question to OpenAI's models; Converse needs somebody to ask it.
  if (turns.isEmpty()) {
    turns.add('user', system.splice(0));
  }
  const list = turns.list();
  checkImages(list);
  if (list.at(-1)?.role !== 'user') {
    throw invalid(
      `messages[${lastIndex}]`,
      'the conversation must end with a user or tool message that says something. Putting words into the mouth of the assistant is not supported with this model.',
      'unsupported_value',
    );
  }
  return { system, turns: list };
}

function checkImages(turns: readonly ModelMessage[]): void {
  for (const { content } of turns) {
    const images = content.filter(({ type }) => type === 'image').length;
    if (images > MOST_IMAGES_PER_TURN) {
      throw invalid(
        'messages',
        `too many images. Expected at most ${MOST_IMAGES_PER_TURN} in one turn, but got ${images}.`,
      );
    }
  }
}
