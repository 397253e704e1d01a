import { z } from 'zod';

import { conversationSchema } from './core/conversation';

const memorySchema = z.object({
  sessionId: z.string().optional(),
  conversation: conversationSchema,
});

/** What a tab knows of its conversation, so that a reload goes on where it was. */
export type Memory = z.output<typeof memorySchema>;

const KEY = 'matsuri.conversation';
const KEPT_TURNS = 50;

export function remembered(): Memory | undefined {
  try {
    return memorySchema.safeParse(JSON.parse(sessionStorage.getItem(KEY) ?? 'null')).data;
  } catch {
    return undefined;
  }
}

export function remember({ sessionId, conversation }: Memory): void {
  const turns = conversation.turns.slice(-KEPT_TURNS);
  try {
    sessionStorage.setItem(
      KEY,
      JSON.stringify({ sessionId, conversation: { ...conversation, turns } }),
    );
  } catch {
    // Storage is full or forbidden: the conversation then lives as long as the page.
  }
}
