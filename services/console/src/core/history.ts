import { z } from 'zod';

import { isOpen } from './conversation';
import type { Conversation, Turn } from './conversation';

/** A turn as the server keeps it. */
export const pastTurnSchema = z.object({
  messageId: z.string(),
  question: z.string(),
  answer: z.string(),
});

export type PastTurn = z.output<typeof pastTurnSchema>;

/**
 * The conversation with the turns that the server remembers and this tab does not: it is new, or another one went on.
 * What the tab saw itself it knows better. `waited` is a turn that had to wait for them.
 */
export function withHistory(
  conversation: Conversation,
  past: readonly PastTurn[],
  waited?: Pick<Turn, 'clientMessageId'>,
): Conversation {
  const turns = [...conversation.turns];
  const placeOf = ({ messageId }: PastTurn): number =>
    turns.findIndex(({ answer }) => answer.messageId === messageId);
  const later = turns.findIndex(
    (turn) => isOpen(turn) || turn.clientMessageId === waited?.clientMessageId,
  );
  // Beside the turn it came before or after; where none of them is known here, after all that has been answered.
  const next = past.map(placeOf).find((place) => place >= 0);
  let place = next ?? (later < 0 ? turns.length : later);
  for (const turn of past) {
    const known = placeOf(turn);
    if (known < 0) turns.splice(place, 0, recalled(turn));
    place = known < 0 ? place + 1 : known + 1;
  }
  return turns.length === conversation.turns.length ? conversation : { ...conversation, turns };
}

function recalled({ messageId, question, answer: text }: PastTurn): Turn {
  return {
    clientMessageId: messageId,
    question,
    answer: {
      state: 'complete',
      messageId,
      text,
      sources: [],
      restarted: false,
      stopping: false,
      recalled: true,
    },
  };
}
