import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { PATHS } from '@matsuri/contract';

export interface HealthOptions {
  readonly port: number;
  /** Whether cycles still come to an end; a loop that hangs is replaced. */
  readonly isAlive: () => boolean;
  readonly isReady: () => boolean;
}

export interface Health {
  readonly port: number;
  close(): Promise<void>;
}

/** Answers the two questions of whoever runs the program. */
export async function serveHealth({ port, isAlive, isReady }: HealthOptions): Promise<Health> {
  const answers: Readonly<Record<string, () => boolean>> = {
    [PATHS.health]: isAlive,
    [PATHS.ready]: isReady,
  };
  const server = createServer((request, response) => {
    const answer = answers[(request.url ?? '').split('?', 1)[0] ?? ''];
    response.writeHead(answer === undefined ? 404 : answer() ? 200 : 503);
    response.end();
  });
  server.listen(port);
  await once(server, 'listening');
  return {
    port: portOf(server),
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
