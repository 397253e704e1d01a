import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import type { PlatformConfiguration } from '@matsuri/contract';
import { InFlight } from '@matsuri/resilience';
import type { Hono } from 'hono';

/** A listener on a port. */
export interface Listening {
  readonly port: number;
  /** Accepts no new connections; resolves when every request has been answered. */
  finish(): Promise<void>;
  /** Ends all connections, busy or not. */
  destroy(): void;
}

const MAX_HEADER_BYTES = 16 * 1_024;
const MAX_HEADERS = 100;

export interface ServeOptions {
  readonly port: number;
  readonly timeouts: PlatformConfiguration['timeouts'];
  /** Takes a connection over. @default such requests are answered as if they had not asked for it */
  readonly onUpgrade?: (incoming: IncomingMessage, socket: Duplex, head: Buffer) => void;
}

/** Serves the public routes. Connections outlive the load balancer's patience, never the other way round. */
export function serveApp(
  app: Pick<Hono<never>, 'fetch'>,
  options: ServeOptions,
): Promise<Listening> {
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  return listen((incoming, outgoing) => void listener(incoming, outgoing), options);
}

/** Starts a plain HTTP/1.1 server. */
export async function listen(
  answer: RequestListener,
  { port, timeouts, onUpgrade }: Pick<ServeOptions, 'port' | 'timeouts' | 'onUpgrade'>,
): Promise<Listening> {
  const requests = new InFlight();
  const listener: RequestListener = (incoming, outgoing) => {
    outgoing.once('close', requests.start('request'));
    answer(incoming, outgoing);
  };
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      keepAliveTimeout: timeouts.keepAliveMs,
      headersTimeout: timeouts.headersTimeoutMs,
      // Bodies have a limit of their own, streams have none.
      requestTimeout: 0,
    },
    listener,
  );
  server.maxHeadersCount = MAX_HEADERS;
  if (onUpgrade) server.on('upgrade', onUpgrade);
  await new Promise<void>((resolve, reject) => {
    // Heard for good: a connection that could not be accepted is an error of the server, too, and would end the process.
    server.on('error', reject).listen(port, resolve);
  });
  return listening(server, requests);
}

function listening(server: Server, requests: InFlight): Listening {
  const address: AddressInfo | string | null = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    async finish() {
      // Connections are not waited for: one that was opened and never used would hold up the end for minutes.
      server.close();
      await requests.idle();
    },
    destroy: () => server.closeAllConnections(),
  };
}
