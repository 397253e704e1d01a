import { z } from 'zod';

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
}

const openedSchema = z.object({ id: z.string(), ticket: z.string() });
const ticketSchema = z.object({ ticket: z.string() });

export function createShop(base: string): Shop {
  const post = (path: string): Promise<Response> =>
    fetch(`${base}${path}`, { method: 'POST', signal: AbortSignal.timeout(10_000) });
  return {
    async openSession() {
      return openedSchema.parse(await bodyOf(await post('/chat-sessions')));
    },
    async ticketFor(sessionId) {
      const response = await post(`/chat-sessions/${encodeURIComponent(sessionId)}/tickets`);
      if (response.status === 404) return undefined;
      return ticketSchema.parse(await bodyOf(response)).ticket;
    },
  };
}

function bodyOf(response: Response): Promise<unknown> {
  if (!response.ok) throw new Error(`The shop answered ${response.status}`);
  return response.json();
}
