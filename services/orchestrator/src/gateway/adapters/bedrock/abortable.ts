/** A promise, unless the signal aborts first: then its reason. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: either, resolve, reject } = Promise.withResolvers<T>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  return either;
}
