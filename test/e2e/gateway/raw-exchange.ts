import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  /** Of every answer that came, in order. */
  readonly statuses: readonly number[];
  /** The server ended the connection. */
  readonly closed: boolean;
}

const PATIENCE_MS = 8_000;
// How long after an answer a second one may come, which would be one too many.
const SETTLE_MS = 150;

/**
 * Sends bytes as they are and tells which answers come. `send` writes to the socket and may take its time; it should
 * stop when the socket is destroyed. Whoever is still sending does not care for answers.
 */
export function rawExchange(
  url: string,
  send: (socket: Socket) => void | Promise<void>,
): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  return new Promise((resolve) => {
    let text = '';
    let settle: NodeJS.Timeout | undefined;
    const finish = (closed: boolean): void => {
      clearTimeout(patience);
      clearTimeout(settle);
      socket.destroy();
      resolve({ statuses: statusesIn(text), closed });
    };
    const patience = setTimeout(() => finish(false), PATIENCE_MS);
    let sending = true;
    const settleSoon = (): void => {
      clearTimeout(settle);
      if (!sending && text !== '') settle = setTimeout(() => finish(false), SETTLE_MS);
    };
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      settleSoon();
    });
    // A reset is an answer as well; `close` follows it.
    socket.on('error', () => undefined);
    socket.on('close', () => finish(true));
    socket.on('connect', () => {
      void Promise.resolve(send(socket)).then(() => {
        sending = false;
        settleSoon();
      });
    });
  });
}

function statusesIn(text: string): number[] {
  return [...text.matchAll(/^HTTP\/1\.[01] (\d{3})/gm)].map(([, status]) => Number(status));
}

/** Writes so many bytes, or until nobody takes any more. */
export async function flood(socket: Socket, bytes: number, chunk: Buffer): Promise<void> {
  let sent = 0;
  while (sent < bytes && !socket.destroyed && socket.writable) {
    sent += chunk.length;
    const hasRoom = socket.write(chunk);
    if (!hasRoom) await drained(socket);
  }
}

function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      socket.off('drain', done).off('close', done);
      resolve();
    };
    socket.on('drain', done).on('close', done);
  });
}
