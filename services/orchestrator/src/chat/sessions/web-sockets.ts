import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { errorBody, type OpenAiError } from '../../gateway/core/openai/refusal/open-ai-error';
import { refusal } from '../../gateway/core/openai/refusal/refusals';
import { header } from '../../gateway/http/exchange';
import { Connection, type Guest } from './connection';
import { webSocketRequest, type WebSocketRequest } from './core/web-socket-path';
import { signInGuest } from './guest';
import type { SessionWorld } from './session-world';
import { turnAway } from './turn-away';

type Admitted =
  | { readonly ok: true; readonly guest: Guest }
  | { readonly ok: false; readonly error: OpenAiError };

export type OnUpgrade = (incoming: IncomingMessage, socket: Duplex, head: Buffer) => void;

const MAX_BUFFERED_CHUNKS = 256;
const CLOSE_TIMEOUT_MS = 5_000;

/** Answers requests to become a WebSocket. */
export function createWebSockets(world: SessionWorld): OnUpgrade {
  const { settings, connections, door, log } = world;
  // The library's own limits are a hundred megabytes and thousands of fragments; its types lag behind its options.
  const limits = {
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: settings.maxMessageBytes,
    maxFragments: settings.maxMessageFragments,
    maxBufferedChunks: MAX_BUFFERED_CHUNKS,
    closeTimeout: CLOSE_TIMEOUT_MS,
  };
  const server = new WebSocketServer(limits);
  // What is wrong with the handshake itself; the library would answer it in plain text.
  server.on('wsClientError', (_, socket) => refuse(socket, refusal('upgrade-invalid')));

  const open = async (incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    const wanted = webSocketRequest(incoming.url ?? '');
    if (!wanted) {
      refuse(socket, refusal('url-unknown', { subject: `GET ${incoming.url ?? ''}` }));
      return;
    }
    const shut = turnAway(door.connect(connections.size));
    if (shut) {
      refuse(socket, shut);
      return;
    }
    const admitted = await admit(incoming, wanted, world);
    if (!admitted.ok) {
      refuse(socket, admitted.error);
      return;
    }
    // Of all who were looked up at once, only so many find a place.
    const full = turnAway(door.connect(connections.size));
    if (full) {
      refuse(socket, full);
      return;
    }
    server.handleUpgrade(incoming, socket, head, (client) => {
      connections.add(new Connection(client, admitted.guest, world));
    });
  };

  return (incoming, socket, head) => {
    // For as long as the socket lives: a refusal may fail to arrive long after it was written, and an error that
    // nobody hears ends the process.
    socket.on('error', hangUp);
    open(incoming, socket, head).catch((err: unknown) => {
      log.error('a WebSocket could not be opened', { err });
      refuse(socket, refusal('internal'));
    });
  };
}

function hangUp(this: Duplex): void {
  this.destroy();
}

async function admit(
  incoming: IncomingMessage,
  { sessionId, ticket }: WebSocketRequest,
  world: SessionWorld,
): Promise<Admitted> {
  const origin = header(incoming, 'origin');
  // No browser leaves its origin out; a page that may not call is turned away whatever it presents.
  if (origin !== undefined && !world.allowedOrigins.has(origin)) {
    return { ok: false, error: refusal('origin-not-allowed', { subject: origin }) };
  }
  if (ticket === undefined) return signInGuest(incoming, sessionId, world);
  const claims = await world.tickets.redeem(ticket);
  if (claims?.sessionId !== sessionId) {
    return { ok: false, error: refusal('ticket-invalid') };
  }
  const { tenantId, userId, tokenId } = claims;
  const token = { tenantId, tokenId };
  if (!(await world.tokens.current(token))) return { ok: false, error: refusal('key-invalid') };
  return { ok: true, guest: { session: { tenantId, userId, sessionId }, token } };
}

function refuse(socket: Duplex, error: OpenAiError): void {
  const body = errorBody(error);
  const headers = {
    ...error.headers,
    connection: 'close',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const status = `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}\r\n`;
  socket.once('finish', () => socket.destroy());
  socket.end(`${status}${lines.join('')}\r\n${body}`);
}
