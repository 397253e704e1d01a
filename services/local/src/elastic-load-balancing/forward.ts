import { request as httpRequest } from 'node:http';
import type { Agent, IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';

import { requestHead } from './request-head';

/** Where a request goes on to. */
export interface Route {
  readonly host: string;
  readonly port: number;
  /** Keeps connections for the next request. */
  readonly agent: Agent;
  /** Silence after which the connection is cut. */
  readonly idleMs: number;
  /** Hears of every connection that carries something there. */
  readonly onSocket: (socket: Duplex) => void;
}

/** Sends a request on and its answer back, as they come. */
export function forward(
  request: IncomingMessage,
  response: ServerResponse,
  { host, port, agent, idleMs, onSocket }: Route,
): void {
  const upstream = httpRequest({
    host,
    port,
    method: request.method,
    path: request.url,
    headers: requestHead(request).headers,
    setHost: false,
    agent,
  });
  upstream.setTimeout(idleMs, () => upstream.destroy());
  upstream.on('socket', onSocket);
  upstream.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage, endToEnd(answer.rawHeaders));
    response.flushHeaders();
    answer.pipe(response);
    answer.on('error', () => response.destroy());
    answer.on('close', () => {
      // An answer cut short must not look complete.
      if (!answer.complete) response.destroy();
    });
  });
  upstream.on('error', () => (response.headersSent ? response.destroy() : refuse(response, 502)));
  response.on('close', () => upstream.destroy());
  request.pipe(upstream);
}

/** Connects both ends of an upgraded connection; when one ends, so does the other. */
export function tunnel(
  request: IncomingMessage,
  client: Duplex,
  head: Buffer,
  { host, port, idleMs, onSocket }: Route,
): void {
  const upstream = connect(port, host);
  onSocket(upstream);
  upstream.setNoDelay(true);
  upstream.setTimeout(idleMs, () => upstream.destroy());
  upstream.once('connect', () => {
    upstream.write(requestHead(request).text);
    upstream.write(head);
    upstream.pipe(client).pipe(upstream);
  });
  for (const [one, other] of [
    [upstream, client],
    [client, upstream],
  ] as const) {
    one.on('error', () => other.destroy());
    // What was said before the end, such as why, still arrives.
    one.on('close', () => other.end(() => other.destroy()));
  }
}

const HOP_BY_HOP = ['connection', 'keep-alive', 'proxy-connection'];

function endToEnd(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_, i) => {
    const name = rawHeaders[i - (i % 2)]?.toLowerCase() ?? '';
    return !HOP_BY_HOP.includes(name);
  });
}

const REFUSALS = {
  421: 'This name is not served here',
  502: 'The task did not answer',
  503: 'No task is ready to serve',
} as const;

export function refuse(response: ServerResponse, status: keyof typeof REFUSALS): void {
  response.writeHead(status, { 'content-type': 'text/plain' });
  response.end(REFUSALS[status]);
}

export function refuseUpgrade(client: Duplex): void {
  client.end('HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\n\r\n');
}
