import { z } from 'zod';

import { conversationSchema, NO_CONVERSATION } from './core/conversation';

const memorySchema = z.object({
  sessionId: z.string().optional(),
  conversation: conversationSchema,
});

/**
 * What a tab knows of its conversation, so that a reload goes on where it was. Another tab finds the session alone, which
 * the browser keeps, and asks for its turns.
 */
export type Memory = z.output<typeof memorySchema>;

const KEY = 'matsuri.conversation';
const SESSION_KEY = 'matsuri.session';
const KEPT_TURNS = 50;

export function remembered(): Memory {
  try {
    const ofTab = memorySchema.safeParse(JSON.parse(sessionStorage.getItem(KEY) ?? 'null')).data;
    if (ofTab) return ofTab;
    const sessionId = localStorage.getItem(SESSION_KEY) ?? undefined;
    return { ...(sessionId !== undefined && { sessionId }), conversation: NO_CONVERSATION };
  } catch {
    return { conversation: NO_CONVERSATION };
  }
}

export function remember({ sessionId, conversation }: Memory): void {
  const turns = conversation.turns.slice(-KEPT_TURNS);
  try {
    sessionStorage.setItem(
      KEY,
      JSON.stringify({ sessionId, conversation: { ...conversation, turns } }),
    );
    if (sessionId === undefined) localStorage.removeItem(SESSION_KEY);
    // Every write here is told to all other tabs.
    else if (localStorage.getItem(SESSION_KEY) !== sessionId) {
      localStorage.setItem(SESSION_KEY, sessionId);
    }
  } catch {
    // Storage is full or forbidden: the conversation then lives as long as the page.
  }
}
