import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { startFaultProxy } from '../start-fault-proxy';
import type { FaultProxy } from '../start-fault-proxy';

/** A connection through a proxy, held at both ends. */
export interface BothEnds {
  readonly proxy: FaultProxy;
  readonly client: Socket;
  readonly server: Socket;
}

/** Makes connections through one fresh proxy each, and ends them all together. */
export function bothEndsMaker() {
  const ended: (() => Promise<void>)[] = [];

  const make = async (): Promise<BothEnds> => {
    const accepted: Socket[] = [];
    const listener = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (socket) => {
      socket.on('error', () => undefined);
      accepted.push(socket);
    });
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', () => resolve()));
    const proxy = await startFaultProxy({
      upstream: { host: '127.0.0.1', port: portOf(listener) },
    });
    const firstAccepted = once(listener, 'connection') as Promise<[Socket]>;
    const client = connect({ port: proxy.port, host: '127.0.0.1', allowHalfOpen: true });
    const [server] = await firstAccepted;
    client.on('error', () => undefined);
    ended.push(async () => {
      for (const socket of [client, ...accepted]) socket.destroy();
      await proxy.close();
      await new Promise((resolve) => listener.close(resolve));
    });
    return { proxy, client, server };
  };
  const endAll = async (): Promise<void> => {
    for (const end of ended.splice(0)) await end();
  };
  return { make, endAll };
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/** Everything a socket receives until its peer's end. */
export async function received(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.resume();
  await once(socket, 'end');
  return Buffer.concat(chunks);
}

/** The next so many bytes a socket receives. */
export function nextBytes(socket: Socket, count: number): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const listen = (chunk: Buffer): void => {
      text += chunk.toString('latin1');
      if (text.length < count) return;
      socket.off('data', listen);
      resolve(text);
    };
    socket.on('data', listen);
    socket.resume();
  });
}

/** How a socket's life ended: with an error code, or without. */
export function ending(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let how = 'closed';
    socket.once('error', (error: NodeJS.ErrnoException) => (how = error.code ?? error.message));
    socket.once('close', () => resolve(how));
    socket.once('end', () => socket.end());
    socket.resume();
  });
}
