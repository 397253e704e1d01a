import { z } from 'zod';

import { pastTurnSchema } from './core/history';
import type { PastTurn } from './core/history';

/** A chat session and the ticket that opens its first connection. */
interface OpenedSession {
  readonly id: string;
  readonly ticket: string;
}

/**
 * The shop's backend. It knows who the customer is and holds the API token, so that no browser ever does; a page gets
 * only tickets, each good for one connection.
 */
export interface Shop {
  openSession(): Promise<OpenedSession>;
  /** `undefined`: there is no such session any more. */
  ticketFor(sessionId: string): Promise<string | undefined>;
  /** The last turns of a session, oldest first; none where there is no such session any more. */
  lastTurns(sessionId: string): Promise<readonly PastTurn[]>;
}

const openedSchema = z.object({ id: z.string(), ticket: z.string() });
const ticketSchema = z.object({ ticket: z.string() });
const sessionSchema = z.object({ turns: z.array(pastTurnSchema) });

export function createShop(base: string): Shop {
  const ask = (method: 'GET' | 'POST', path: string): Promise<Response> =>
    fetch(`${base}${path}`, { method, signal: AbortSignal.timeout(10_000) });
  const pathOf = (sessionId: string): string => `/chat-sessions/${encodeURIComponent(sessionId)}`;
  return {
    async openSession() {
      return openedSchema.parse(await bodyOf(await ask('POST', '/chat-sessions')));
    },
    async ticketFor(sessionId) {
      const response = await ask('POST', `${pathOf(sessionId)}/tickets`);
      if (response.status === 404) return undefined;
      return ticketSchema.parse(await bodyOf(response)).ticket;
    },
    async lastTurns(sessionId) {
      const response = await ask('GET', pathOf(sessionId));
      if (response.status === 404) return [];
      return sessionSchema.parse(await bodyOf(response)).turns;
    },
  };
}

function bodyOf(response: Response): Promise<unknown> {
  if (!response.ok) throw new Error(`The shop answered ${response.status}`);
  return response.json();
}
