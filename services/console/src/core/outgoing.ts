import type { ClientFrame, ServerFrame } from '@matsuri/contract';

import { openTurn } from './conversation';
import type { Conversation, Turn } from './conversation';

export type Locale = 'ja' | 'en';

/** How a turn's question is sent, the first time and every time after: its id makes them one. */
export function messageOf(turn: Turn, locale: Locale): ClientFrame {
  const { clientMessageId, question } = turn;
  return { type: 'message', clientMessageId, text: question, locale };
}

/** What a new connection begins with: going on where the last one broke off. */
export function greeting(conversation: Conversation, locale: Locale): readonly ClientFrame[] {
  const turn = openTurn(conversation);
  if (turn === undefined) return [];
  const { lastId } = conversation;
  const mayResume = turn.answer.state === 'answering' && lastId !== undefined;
  return [mayResume ? { type: 'resume', lastId } : messageOf(turn, locale)];
}

/** What a frame asks to be said in return, in the conversation after it. */
export function replies(
  conversation: Conversation,
  frame: ServerFrame,
  locale: Locale,
): readonly ClientFrame[] {
  if (frame.type === 'ping') return [{ type: 'pong' }];
  const turn = openTurn(conversation);
  if (turn === undefined) return [];
  if (frame.type === 'error' && frame.code === 'answer_lost') return [messageOf(turn, locale)];
  return frame.type === 'message' ? cancelOf(turn) : [];
}

/** Says that the reader wants no more, once there is an id to say it of. */
export function cancelOf({ answer }: Turn): readonly ClientFrame[] {
  const { stopping, messageId } = answer;
  return stopping && messageId !== undefined ? [{ type: 'cancel', messageId }] : [];
}
