import { createServer } from 'node:net';
import { EngineStartError } from './errors';

const ATTEMPTS = 5;

/** A loopback port nobody listens on at this moment. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      const port = address === null || typeof address === 'string' ? 0 : address.port;
      probe.close(() => resolve(port));
    });
  });
}

/** Starts something on a free port; should somebody else bind it first, tries another one. */
export async function onFreePort(start: (port: number) => Promise<void>): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await findFreePort();
    try {
      await start(port);
      return port;
    } catch (error) {
      const unlucky = error instanceof EngineStartError && error.portWasTaken;
      if (!unlucky || attempt === ATTEMPTS) throw error;
    }
  }
}
