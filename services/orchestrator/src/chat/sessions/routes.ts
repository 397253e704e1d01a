import { randomUUID } from 'node:crypto';
import { clientFrameSchema, HEADERS, idSchema, parseFrameId, PATHS } from '@matsuri/contract';
import { refusal } from '../../gateway/core/openai/refusal/refusals';
import { header, type Exchange } from '../../gateway/http/exchange';
import { readJson } from '../../gateway/http/read-json';
import type { Route } from '../../gateway/http/route';
import { signInGuest, signInPatron, STORE_RETRY_MS } from './guest';
import { EventReader } from './event-reader';
import type { SessionWorld } from './session-world';
import { turnAway } from './turn-away';

type Handler = (exchange: Exchange, sessionId: string, world: SessionWorld) => Promise<void>;

/** A route of sessions. Where it names a session, the session is looked up for its tenant and user. */
export interface SessionRoute {
  readonly method: Route['method'];
  readonly path: string;
  readonly namesSession: boolean;
  readonly handle: Handler;
}

const LOOK_UP_MS = 5_000;

const openSession: Handler = async (exchange, _, world) => {
  const patron = await signInPatron(exchange.incoming, world);
  if (!patron.ok) {
    exchange.sendError(patron.error);
    return;
  }
  const { tenantId, id: tokenId } = patron.token;
  const session = { tenantId, userId: patron.userId, sessionId: randomUUID() };
  try {
    await world.store.create(session);
  } catch (err) {
    world.log.warn('a session could not be opened', { err });
    exchange.sendError(refusal('sessions-unavailable', { waitMs: STORE_RETRY_MS }));
    return;
  }
  const ticket = await world.tickets.issue({ ...session, tokenId });
  exchange.sendJson(201, JSON.stringify({ id: session.sessionId, ...ticketBody(ticket, world) }));
};

const issueTicket: Handler = async (exchange, sessionId, world) => {
  const signedIn = await signInGuest(exchange.incoming, sessionId, world);
  if (!signedIn.ok) {
    exchange.sendError(signedIn.error);
    return;
  }
  const { session, token } = signedIn.guest;
  const ticket = await world.tickets.issue({ ...session, tokenId: token.tokenId });
  exchange.sendJson(201, JSON.stringify(ticketBody(ticket, world)));
};

const showSession: Handler = async (exchange, sessionId, world) => {
  const signedIn = await signInGuest(exchange.incoming, sessionId, world);
  if (!signedIn.ok) {
    exchange.sendError(signedIn.error);
    return;
  }
  const { historyTurns } = world.configuration.answering;
  const signal = AbortSignal.timeout(LOOK_UP_MS);
  try {
    const turns = await world.store.lastTurns(signedIn.guest.session, historyTurns, signal);
    exchange.sendJson(200, JSON.stringify({ id: sessionId, turns }));
  } catch (err) {
    world.log.warn('turns could not be read', { err });
    exchange.sendError(refusal('sessions-unavailable', { waitMs: STORE_RETRY_MS }));
  }
};

const sendMessage: Handler = async (exchange, sessionId, world) => {
  const signedIn = await signInGuest(exchange.incoming, sessionId, world);
  if (!signedIn.ok) {
    exchange.sendError(signedIn.error);
    return;
  }
  const body = await readJson(exchange, {
    maxBytes: world.settings.maxMessageBytes,
    memory: world.bodyMemory,
  });
  if (!body.ok) {
    if (body.error) exchange.sendError(body.error);
    return;
  }
  const frame = messageBody.safeParse(body.value);
  if (!frame.success) {
    exchange.sendError(refusal('message-invalid'));
    return;
  }
  const { session } = signedIn.guest;
  const { clientMessageId, text, locale } = frame.data;
  const caller = { ...world.callerOf(signedIn.token), userId: session.userId };
  const asked = { session, caller, clientMessageId, text, ...(locale && { locale }) };
  const cursor = parseFrameId(header(exchange.incoming, HEADERS.lastEventId) ?? '');
  const reader = new EventReader(exchange, world);
  const outcome = await world.answers.ask(asked, reader, cursor);
  if (outcome.kind === 'refused') reader.refuse(outcome);
  else await reader.follow(outcome);
};

/** A session or a ticket is cheap, and leads to connections and messages: a task that has enough to do gives out none. */
const whileOpen =
  (handle: Handler): Handler =>
  async (exchange, sessionId, world) => {
    const shut = turnAway(world.door.open());
    if (shut) exchange.sendError(shut);
    else await handle(exchange, sessionId, world);
  };

const refuseWithoutUpgrade: Handler = (exchange) => {
  exchange.sendError(refusal('upgrade-required'));
  return Promise.resolve();
};

/** Every route of sessions, as data: tests walk them all. */
export const SESSION_ROUTES: readonly SessionRoute[] = [
  { method: 'post', path: PATHS.sessions, namesSession: false, handle: whileOpen(openSession) },
  { method: 'get', path: `${PATHS.sessions}/:id`, namesSession: true, handle: showSession },
  {
    method: 'post',
    path: `${PATHS.sessions}/:id/tickets`,
    namesSession: true,
    handle: whileOpen(issueTicket),
  },
  {
    method: 'post',
    path: `${PATHS.sessions}/:id/messages`,
    namesSession: true,
    handle: sendMessage,
  },
  {
    method: 'get',
    path: `${PATHS.sessions}/:id/ws`,
    namesSession: false,
    handle: refuseWithoutUpgrade,
  },
];

/** The routes, as the HTTP surface takes them. */
export function sessionRoutes(world: SessionWorld): readonly Route[] {
  return SESSION_ROUTES.map(({ method, path, handle, namesSession }) => ({
    method,
    path,
    handle: async (exchange, id) => {
      const sessionId = idSchema.safeParse(id);
      if (sessionId.success) await handle(exchange, sessionId.data, world);
      else if (namesSession) exchange.sendError(refusal('session-not-found'));
      else await handle(exchange, '', world);
    },
  }));
}

/** The body is a `message` frame without its type. */
const messageBody = clientFrameSchema.options[0].omit({ type: true });

function ticketBody(ticket: string, { settings }: SessionWorld) {
  return { ticket, ticketExpiresInSeconds: settings.ticketSeconds };
}
