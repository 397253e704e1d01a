import { getRequestListener } from '@hono/node-server';
import { InFlight } from '@matsuri/resilience';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';

type Fetch = Parameters<typeof getRequestListener>[0];

export interface ListenerOptions {
  readonly port: number;
  readonly keepAliveMs: number;
  readonly headersTimeoutMs: number;
}

/** A server that answers until it is told to end. */
export interface Listener {
  readonly port: number;
  /** Takes nothing new and resolves when every request under way has its answer. May be repeated. */
  finish(): Promise<void>;
  /** Cuts whatever is still connected. */
  cut(): void;
  /** What has no answer yet. */
  left(): readonly string[];
}

const MAX_HEADER_BYTES = 16 * 1_024;

export async function listen(fetch: Fetch, options: ListenerOptions): Promise<Listener> {
  const answer = getRequestListener(fetch);
  const running = new InFlight();
  const server = createServer(
    {
      keepAliveTimeout: options.keepAliveMs,
      headersTimeout: options.headersTimeoutMs,
      requestTimeout: options.headersTimeoutMs,
      maxHeaderSize: MAX_HEADER_BYTES,
    },
    (request, response) => {
      response.once('close', running.start('request'));
      void answer(request, response);
    },
  );
  server.listen(options.port);
  await once(server, 'listening');
  let finished: Promise<void> | undefined;
  return {
    port: portOf(server),
    finish: () => (finished ??= finish(server, running)),
    cut: () => server.closeAllConnections(),
    left: () => running.left(),
  };
}

async function finish(server: Server, running: InFlight): Promise<void> {
  const closed = once(server, 'close');
  // A kept connection is asked for nothing more once its answer is out.
  server.prependListener('request', (_, response) => response.setHeader('connection', 'close'));
  server.close();
  await running.idle();
  // Connections that never asked anything would stay until they time out.
  server.closeAllConnections();
  await closed;
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  return address.port;
}
