import { isTerminal, parseFrameId } from '@matsuri/contract';
import type { FramePosition, ServerFrame } from '@matsuri/contract';

import { openTurn, withAnswer } from './conversation';
import type { Answer, Conversation, Turn } from './conversation';
import { heldBy } from './patience';

type Of<Type extends ServerFrame['type']> = Extract<ServerFrame, { type: Type }>;
type AnswerFrame = Of<'delta' | 'sources' | 'degraded' | 'usage' | 'done'> | Of<'error'>;

/** The conversation after a frame. What was heard before, and what belongs to nothing here, changes nothing. */
export function receive(conversation: Conversation, frame: ServerFrame): Conversation {
  switch (frame.type) {
    case 'ping':
    case 'reconnect':
      return conversation;
    case 'message':
      return accepted(conversation, frame);
    case 'error':
      return failed(conversation, frame);
    case 'delta':
    case 'sources':
    case 'degraded':
    case 'usage':
    case 'done':
      return continued(conversation, frame, frame.messageId);
  }
}

/** Why a connection is of no use for the open turn any more. */
export function strands(
  { before, after }: { readonly before: Conversation; readonly after: Conversation },
  frame: ServerFrame,
): boolean {
  return openTurn(after) !== undefined && (skips(before, frame) || isOfNoMessage(frame));
}

/** A frame of an answer came before those that belong ahead of it: where it was, there is more to be had. */
function skips(conversation: Conversation, frame: ServerFrame): boolean {
  const at = parseFrameId(frame.id);
  const turn = 'messageId' in frame ? turnOf(conversation, frame.messageId) : undefined;
  if (at === undefined || turn === undefined || frame.type === 'message') return false;
  const { epoch, seq = -1 } = turn.answer;
  return at.epoch === epoch && at.seq > seq + 1;
}

/** An error about nothing that was asked: on this connection nothing more of it may come. */
function isOfNoMessage(frame: ServerFrame): boolean {
  return frame.type === 'error' && !isTerminal(frame);
}

function accepted(conversation: Conversation, frame: Of<'message'>): Conversation {
  const at = parseFrameId(frame.id);
  const turn = conversation.turns.find((each) => each.clientMessageId === frame.clientMessageId);
  if (at === undefined || turn === undefined) return conversation;
  const { answer } = turn;
  const isRepeat = answer.epoch !== undefined && answer.epoch >= at.epoch;
  if (isRepeat && answer.state !== 'restarting') return conversation;
  const begun: Answer = {
    state: 'answering',
    messageId: frame.messageId,
    epoch: at.epoch,
    seq: at.seq,
    text: '',
    sources: [],
    restarted: answer.restarted || answer.epoch !== undefined,
    stopping: answer.stopping,
  };
  // A question sent again may have been answered, and recalled, before.
  const turns = conversation.turns
    .filter((each) => each === turn || each.answer.messageId !== frame.messageId)
    .map((each) => (each === turn ? { ...each, answer: begun } : each));
  return { turns, lastId: frame.id };
}

function continued(
  conversation: Conversation,
  frame: AnswerFrame,
  messageId: string | undefined,
): Conversation {
  const at = parseFrameId(frame.id);
  const turn = turnOf(conversation, messageId);
  if (at === undefined || turn === undefined || !follows(turn.answer, at)) return conversation;
  const change = { ...changeOf(frame, turn.answer), seq: at.seq };
  return { ...withAnswer(conversation, turn, change), lastId: frame.id };
}

function failed(conversation: Conversation, frame: Of<'error'>): Conversation {
  const { code } = frame;
  if (code === 'answer_lost') {
    const open = openTurn(conversation);
    return open ? withAnswer(conversation, open, { state: 'restarting' }) : conversation;
  }
  if (frame.messageId !== undefined) return continued(conversation, frame, frame.messageId);
  const refused = refusedBy(conversation, frame);
  return refused ? withAnswer(conversation, refused, refusal(frame, refused.answer)) : conversation;
}

/** The message that is turned away: the one that is named, or the one just sent where it could not even be read. */
function refusedBy(conversation: Conversation, frame: Of<'error'>): Turn | undefined {
  const open = openTurn(conversation);
  if (!isTerminal(frame)) {
    const isUnread = frame.code === 'invalid_frame' && open?.answer.state !== 'answering';
    return isUnread ? open : undefined;
  }
  return open?.clientMessageId === frame.clientMessageId ? open : undefined;
}

function refusal(frame: Of<'error'>, { stopping, held: before }: Answer): Partial<Answer> {
  const { code, message } = frame;
  if (stopping) return { state: 'cancelled', held: undefined };
  const held = heldBy(frame, before);
  return held ? { held } : { state: 'failed', held, error: { code, message } };
}

function turnOf({ turns }: Conversation, messageId: string | undefined): Turn | undefined {
  return messageId === undefined
    ? undefined
    : turns.findLast(({ answer }) => answer.messageId === messageId);
}

function follows({ epoch, seq = -1 }: Answer, at: FramePosition): boolean {
  return at.epoch === epoch && at.seq === seq + 1;
}

function changeOf(frame: AnswerFrame, answer: Answer): Partial<Answer> {
  switch (frame.type) {
    case 'delta':
      return { text: answer.text + frame.text };
    case 'sources':
      return { sources: frame.sources.map((source) => ({ ...source })) };
    case 'degraded':
      // Why is said in the words of those who run it; the page has its own for each rung.
      return { degraded: { rung: frame.rung, parts: [...frame.parts] } };
    case 'usage': {
      const { model, inputTokens, outputTokens, dollars } = frame;
      return { usage: { model, inputTokens, outputTokens, dollars } };
    }
    case 'done':
      return ending(frame.finish);
    case 'error':
      return { state: 'failed', error: { code: frame.code, message: frame.message } };
  }
}

function ending(finish: Of<'done'>['finish']): Partial<Answer> {
  if (finish === 'cancelled') return { state: 'cancelled' };
  return { state: 'complete', ...(finish === 'stop' ? {} : { cutShort: finish }) };
}
