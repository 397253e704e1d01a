import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { HEADERS, PATHS } from '@matsuri/contract';
import { z } from 'zod';

export interface ShopOptions {
  readonly chatUrl: string;
  /** The shop's own; no browser ever sees it. */
  readonly apiToken: string;
  /** The one page that may ask. */
  readonly origin: string;
}

const COOKIE = 'shop_customer';
const CUSTOMER = new RegExp(`(?:^|; )${COOKIE}=([\\da-f-]{36})(?:;|$)`);
const SESSION = /^\/shop\/chat-sessions\/([\w-]{1,128})$/;
const TICKETS = /^\/shop\/chat-sessions\/([\w-]{1,128})\/tickets$/;

const opened = z.object({ id: z.string(), ticket: z.string() });
const issued = z.object({ ticket: z.string() });
const turn = z.object({ messageId: z.string(), question: z.string(), answer: z.string() });
const shown = z.object({ turns: z.array(turn) });

/**
 * The part of a shop's backend that a chat page needs, small enough to copy. It knows its customer (here: a cookie of
 * its own), asserts them to the orchestrator under the shop's API token, and hands the page a session, its last turns, and
 * tickets.
 */
export function shopBackend({ chatUrl, apiToken, origin }: ShopOptions) {
  const ask = (method: 'GET' | 'POST', path: string, customer: string): Promise<Response> =>
    fetch(`${chatUrl}${PATHS.sessions}${path}`, {
      method,
      headers: { authorization: `Bearer ${apiToken}`, [HEADERS.endUser]: customer },
    });

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const customer = customerOf(request) ?? randomUUID();
    const url = request.url ?? '';
    const session = TICKETS.exec(url)?.[1];
    const known = SESSION.exec(url)?.[1];
    if (!isFrom(origin, request)) {
      send(response, 403, { error: 'Only the page of this shop may ask.' });
    } else if (request.method === 'GET') {
      const asked = known === undefined ? undefined : await ask('GET', `/${known}`, customer);
      if (asked) send(response, asked.status, asked.ok ? shown.parse(await asked.json()) : REFUSED);
      else send(response, 404, NOT_HERE);
    } else if (url === '/shop/chat-sessions') {
      const asked = await ask('POST', '', customer);
      if (asked.ok) remember(response, customer);
      send(response, asked.status, asked.ok ? opened.parse(await asked.json()) : REFUSED);
    } else if (session !== undefined) {
      const asked = await ask('POST', `/${session}/tickets`, customer);
      send(response, asked.status, asked.ok ? issued.parse(await asked.json()) : REFUSED);
    } else {
      send(response, 404, NOT_HERE);
    }
  };

  return (request: IncomingMessage, response: ServerResponse): void => {
    answer(request, response).catch(() => send(response, 502, REFUSED));
  };
}

const NOT_HERE = { error: 'Not here.' };
const REFUSED = { error: 'The chat cannot be reached at the moment.' };

/** A browser names its origin with everything that changes something; what only reads, no other page may see. */
function isFrom(origin: string, { method, headers }: IncomingMessage): boolean {
  if (method !== 'GET' && method !== 'POST') return false;
  return headers.origin === origin || (method === 'GET' && headers.origin === undefined);
}

function customerOf({ headers }: IncomingMessage): string | undefined {
  return CUSTOMER.exec(headers.cookie ?? '')?.[1];
}

function remember(response: ServerResponse, customer: string): void {
  response.setHeader('set-cookie', `${COOKIE}=${customer}; Path=/shop; HttpOnly; SameSite=Strict`);
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}
