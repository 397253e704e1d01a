import type { IncomingMessage } from 'node:http';

export type BodyResult =
  | { readonly kind: 'body'; readonly bytes: Buffer }
  | { readonly kind: 'too-large' | 'late' | 'gone' | 'overloaded' };

export interface BodyLimits {
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

/** Bytes that all bodies being read may take together. */
export class BodyMemory {
  #left: number;

  constructor(maxBytes: number) {
    this.#left = maxBytes;
  }

  take(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.#left += bytes;
  }
}

/** Reads a whole body, counting its bytes itself: what `content-length` says is only believed when it says too much. */
export function readBody(
  incoming: IncomingMessage,
  limits: BodyLimits,
  memory: BodyMemory,
): Promise<BodyResult> {
  if (Number(incoming.headers['content-length'] ?? 0) > limits.maxBytes) {
    return Promise.resolve({ kind: 'too-large' });
  }
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;

    const finish = (result: BodyResult): void => {
      clearTimeout(timer);
      incoming.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      if (result.kind !== 'body') incoming.pause();
      memory.giveBack(size);
      resolve(result);
    };
    const onData = (chunk: Buffer): void => {
      if (size + chunk.length > limits.maxBytes) {
        finish({ kind: 'too-large' });
        return;
      }
      if (!memory.take(chunk.length)) {
        finish({ kind: 'overloaded' });
        return;
      }
      size += chunk.length;
      chunks.push(chunk);
    };
    const onEnd = (): void => {
      const [only] = chunks;
      const bytes = chunks.length === 1 && only ? only : Buffer.concat(chunks, size);
      finish({ kind: 'body', bytes });
    };
    const onClose = (): void => finish({ kind: 'gone' });
    const timer = setTimeout(() => finish({ kind: 'late' }), limits.timeoutMs);
    incoming.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}
