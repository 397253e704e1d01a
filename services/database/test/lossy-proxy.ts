import { createServer, connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** Stands between a client and the server, and can lose what the server answers. */
export interface LossyProxy {
  readonly url: string;
  /**
   * From now on the server hears every question, and each answer to the named prepared statement ends its
   * connection unheard; `count` times.
   */
  loseAnswers(statement: string, count: number): void;
  /** Says nothing any more in either direction, on any connection, old or new. */
  goSilent(): void;
  speakAgain(): void;
  answersLost(): number;
  close(): Promise<void>;
}

export async function startLossyProxy(databaseUrl: string): Promise<LossyProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let losing = { statement: '', count: 0 };
  let lost = 0;
  let silent = false;

  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    const end = (): void => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', end);
      socket.on('close', () => {
        sockets.delete(socket);
        end();
      });
    }
    // Others share the wire: a lease kept alive meanwhile is not the answer to lose.
    let question = Buffer.alloc(0);
    client.on('data', (bytes) => {
      if (silent) return;
      question = bytes;
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (silent) return;
      if (losing.count > 0 && question.includes(losing.statement)) {
        losing.count -= 1;
        lost += 1;
        end();
        return;
      }
      client.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${portOf(server.address())}`;
  return {
    url: url.href,
    loseAnswers(statement, count) {
      losing = { statement, count };
    },
    goSilent() {
      silent = true;
    },
    speakAgain() {
      silent = false;
      for (const socket of sockets) socket.destroy();
    },
    answersLost: () => lost,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('The proxy does not listen');
  return address.port;
}
