import { createServer as createHttp1Server } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { createServer as createTcpServer } from 'node:net';
import type { Socket } from 'node:net';

export type Request = IncomingMessage | Http2ServerRequest;
export type Response = ServerResponse | Http2ServerResponse;

/** A server on loopback that ends when told to, with every connection it holds. */
export interface Listening {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

const HTTP2_PREFACE_START = 'PRI ';

/**
 * Serves HTTP/1.1 and HTTP/2 without TLS on one loopback port: AWS SDK clients differ in which they
 * speak (Bedrock's runtime client defaults to HTTP/2), and one endpoint URL must do for both.
 */
export async function listenOnLoopback(
  handle: (request: Request, response: Response) => void,
  port = 0,
): Promise<Listening> {
  const http1 = createHttp1Server({ keepAliveTimeout: 60_000 }, handle);
  const http2 = createHttp2Server(handle);
  const sockets = new Set<Socket>();

  const tcp = createTcpServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    // `readable` with read/unshift, not `data`: a flowing socket would feed the parser twice.
    socket.once('readable', () => {
      const first = socket.read() as Buffer | null;
      if (first === null) return;
      socket.unshift(first);
      const speaksHttp2 = first.toString('latin1', 0, 4) === HTTP2_PREFACE_START;
      (speaksHttp2 ? http2 : http1).emit('connection', socket);
    });
  });

  await new Promise<void>((resolve, reject) => {
    tcp.once('error', reject);
    tcp.listen(port, '127.0.0.1', resolve);
  });
  const address = tcp.address();
  if (address === null || typeof address === 'string') throw new Error('not a TCP address');

  return {
    url: `http://127.0.0.1:${address.port}`,
    port: address.port,
    close: () =>
      new Promise((resolve) => {
        tcp.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
