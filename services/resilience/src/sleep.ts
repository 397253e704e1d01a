import type { Clock } from './core/clock';
import { abortError } from './abort';

/** Waits, or rejects with the abort's reason; leaves neither timer nor listener behind. */
export async function sleep(delayMs: number, clock: Clock, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) throw abortError(signal);
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  const onAbort = (): void => {
    if (signal) reject(abortError(signal));
  };
  const cancel = clock.after(delayMs, () => resolve(undefined));
  signal?.addEventListener('abort', onAbort);
  try {
    await promise;
  } finally {
    cancel();
    signal?.removeEventListener('abort', onAbort);
  }
}
