import { once } from 'node:events';
import { createServer } from 'node:net';

import { listenOnLoopback } from '@matsuri/local';
import type { Listening, Response } from '@matsuri/local';

import { eventually } from './eventually';
import { ANSWER_FRAMES, event } from './frames';

// Both kinds of response take the same call, but a union of overloads cannot be called.
export function writeTo(response: Response, bytes: Buffer): boolean {
  return 'stream' in response ? response.write(bytes) : response.write(bytes);
}

export interface Flood extends Listening {
  bytesTaken(): number;
  events(): number;
  /** Resolves once the reader has stopped taking. */
  blocked(): Promise<void>;
}

/** A server that sends a long answer as fast as it is read. */
export async function startFlood(bytes: number): Promise<Flood> {
  const delta = event('contentBlockDelta', {
    contentBlockIndex: 0,
    delta: { text: 'x'.repeat(900) },
  });
  const burst = Buffer.concat(Array.from({ length: 64 }, () => delta));
  const state = { taken: 0, bursts: 0, lastTakenAt: 0 };
  const listening = await listenOnLoopback((_, response) => {
    const pump = (): void => {
      while (state.taken < bytes) {
        state.taken += burst.length;
        state.bursts += 1;
        state.lastTakenAt = performance.now();
        if (!writeTo(response, burst)) {
          response.once('drain', pump);
          return;
        }
      }
      response.end(event('messageStop', { stopReason: 'end_turn' }));
    };
    pump();
  });
  const quietMs = 250;
  return {
    ...listening,
    bytesTaken: () => state.taken,
    events: () => state.bursts * 64,
    blocked: async () => {
      await eventually(
        () => performance.now() - state.lastTakenAt,
        (quiet) => quiet > quietMs,
      );
    },
  };
}

/** Refuses the first call with an exception and answers the others. */
export function refuseOnce(type: string): Promise<Listening> {
  let refused = false;
  return listenOnLoopback((_, response) => {
    if (!refused) {
      refused = true;
      response.statusCode = 403;
      response.setHeader('x-amzn-errortype', type);
      response.end('{"message":"too old"}');
      return;
    }
    for (const frame of ANSWER_FRAMES) writeTo(response, frame);
    response.end();
  });
}

/** A server that takes connections and never says a word: TLS to it is never established. */
export async function listenInSilence(): Promise<{
  url: string;
  connected: Promise<unknown>;
  close(): void;
}> {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
  });
  const connected = once(server, 'connection');
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not a TCP address');
  return { url: `https://127.0.0.1:${address.port}`, connected, close: () => void server.close() };
}
