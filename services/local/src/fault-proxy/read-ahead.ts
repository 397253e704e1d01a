import type { Socket } from 'node:net';
import type { Parcel } from './core/next-step';
import type { Random } from './core/random';

/** Bytes read ahead of the receiver; beyond it the sender feels the receiver's pace. */
export const READ_AHEAD_BYTES = 256 * 1024;

type Queued = Parcel & { readonly data: Buffer };

const NO_DATA = Buffer.alloc(0);

/** What a socket has said and nobody has been told yet: in order, and bounded. */
export interface ReadAhead {
  readonly head: Parcel | undefined;
  readonly bufferedBytes: number;
  /** Takes so many bytes off the head, or the head itself when it is news or used up. */
  take(bytes: number): Buffer;
  stop(): void;
}

/** Starts reading; an arrival is data, the end, or a reset. */
export function readAhead(from: Socket, random: Random, onArrival: () => void): ReadAhead {
  const queue: Queued[] = [];
  let bufferedBytes = 0;
  let stopped = false;

  const arrive = (kind: Parcel['kind'], data: Buffer = NO_DATA): void => {
    if (stopped) return;
    const arrivedAtMs = performance.now();
    queue.push({ kind, data, bytes: data.length, arrivedAtMs, draw: random() });
    bufferedBytes += data.length;
    if (bufferedBytes >= READ_AHEAD_BYTES) from.pause();
    onArrival();
  };
  from.on('data', (data: Buffer) => arrive('data', data));
  from.on('end', () => arrive('end'));
  from.on('error', () => arrive('reset'));

  return {
    get head() {
      return queue[0];
    },
    get bufferedBytes() {
      return bufferedBytes;
    },
    take(bytes) {
      const head = queue.shift();
      if (head === undefined) return NO_DATA;
      const rest = head.data.subarray(bytes);
      if (rest.length > 0) queue.unshift({ ...head, data: rest, bytes: rest.length });
      bufferedBytes -= bytes;
      if (bufferedBytes < READ_AHEAD_BYTES) from.resume();
      return head.data.subarray(0, bytes);
    },
    stop() {
      stopped = true;
      queue.length = 0;
      bufferedBytes = 0;
    },
  };
}
