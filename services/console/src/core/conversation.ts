import { DEGRADATIONS, FALLBACK_RUNGS, FRAME_ERRORS } from '@matsuri/contract';
import { z } from 'zod';

/**
 * What is shown of an answer, and how far it has come:
 *
 *     waiting ── accepted ──► answering ── done ──► complete | cancelled
 *        │                        │ └── error ────► failed ── asked again ──► waiting
 *        │                        └── lost ────────► restarting ── accepted under a new epoch ──► answering
 *        └── refused ─► failed, or held for a while and sent again
 */
const ANSWER_STATES = [
  'waiting',
  'answering',
  'restarting',
  'complete',
  'cancelled',
  'failed',
] as const;

const answerSchema = z.object({
  state: z.enum(ANSWER_STATES),
  messageId: z.string().optional(),
  /** The place of the last frame that was taken in; frames at or before it are repeats. */
  epoch: z.number().optional(),
  seq: z.number().optional(),
  text: z.string(),
  sources: z.array(
    z.object({ titleId: z.string(), title: z.string(), url: z.string().optional() }),
  ),
  degraded: z
    .object({ rung: z.enum(FALLBACK_RUNGS), parts: z.array(z.enum(DEGRADATIONS)) })
    .optional(),
  usage: z
    .object({
      model: z.string(),
      inputTokens: z.number(),
      outputTokens: z.number(),
      dollars: z.number(),
    })
    .optional(),
  error: z.object({ code: z.enum(FRAME_ERRORS), message: z.string() }).optional(),
  /** Refused for now: by what, how long until it is sent again, and how long it had waited before. */
  held: z
    .object({ by: z.enum(['busy', 'overloaded']), waitMs: z.number(), waitedMs: z.number() })
    .optional(),
  /** What was shown before had to be thrown away: the reader is told. */
  restarted: z.boolean(),
  /** The reader wants it to end; said to the server as soon as the message has an id. */
  stopping: z.boolean(),
  /** It was given before this tab was there. */
  recalled: z.boolean().optional(),
  /** Cut short by the model's limit or by a filter. */
  cutShort: z.enum(['length', 'filtered']).optional(),
});

const turnSchema = z.object({
  clientMessageId: z.string(),
  question: z.string(),
  answer: answerSchema,
});

/** What a tab remembers of its conversation, oldest turn first. */
export const conversationSchema = z.object({
  turns: z.array(turnSchema),
  /** The id of the last frame seen, to go on from after a lost connection. */
  lastId: z.string().optional(),
});

export type Answer = z.output<typeof answerSchema>;
export type Turn = z.output<typeof turnSchema>;
export type Conversation = z.output<typeof conversationSchema>;

export const NO_CONVERSATION: Conversation = { turns: [] };

const UNANSWERED: Answer = {
  state: 'waiting',
  text: '',
  sources: [],
  restarted: false,
  stopping: false,
};

/** Whether something more is to be expected. */
export function isOpen({ answer }: Turn): boolean {
  return (
    answer.state === 'waiting' || answer.state === 'answering' || answer.state === 'restarting'
  );
}

/** Whether the answer ended early and nobody here wanted it to: the page was away for too long. */
export function brokeOff({ answer }: Turn): boolean {
  return answer.state === 'cancelled' && !answer.stopping;
}

/** The turn that is being answered, if one is. */
export function openTurn({ turns }: Conversation): Turn | undefined {
  return turns.findLast(isOpen);
}

export function ask(
  conversation: Conversation,
  message: { readonly clientMessageId: string; readonly question: string },
): Conversation {
  const turns = [...conversation.turns, { ...message, answer: UNANSWERED }];
  return { ...conversation, turns };
}

/** Asks a question again, as a new message: under its old id the failure would be repeated. Not beside an open one. */
export function askAgain(
  conversation: Conversation,
  failed: Turn,
  clientMessageId: string,
): Conversation {
  if (openTurn(conversation)) return conversation;
  return ask(
    { ...conversation, turns: conversation.turns.filter((turn) => turn !== failed) },
    { clientMessageId, question: failed.question },
  );
}

/** The reader has heard enough. */
export function stop(conversation: Conversation): Conversation {
  const turn = openTurn(conversation);
  if (turn === undefined) return conversation;
  // Of one that is held nobody else knows yet.
  const ended = turn.answer.held ? ({ state: 'cancelled', held: undefined } as const) : {};
  return withAnswer(conversation, turn, { stopping: true, ...ended });
}

/** The same conversation with one answer changed. */
export function withAnswer(
  conversation: Conversation,
  { clientMessageId }: Turn,
  change: Partial<Answer>,
): Conversation {
  const turns = conversation.turns.map((turn) =>
    turn.clientMessageId === clientMessageId
      ? { ...turn, answer: { ...turn.answer, ...change } }
      : turn,
  );
  return { ...conversation, turns };
}
