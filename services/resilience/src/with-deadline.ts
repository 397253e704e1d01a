import { childDeadline } from './core/deadline';
import type { Clock } from './core/clock';
import { abortError } from './abort';
import { DeadlineExceededError } from './errors';
import { UNBOUNDED, type Scope } from './request-scope';
import { systemClock } from './system-clock';

/**
 * Runs one step of a request within min(capMs, what the request has left).
 *
 * Settles as soon as `run` does, time is up (DeadlineExceededError) or the caller aborts (the signal's
 * reason), even if `run` ignores its signal; what it answers afterwards is dropped. `run` is not called at all when
 * there is no time left. Its signal follows the caller only while the step is pending: a stream that outlives
 * the step listens to the request's own signal.
 */
export async function withDeadline<T>(
  scope: Scope,
  capMs: number,
  run: (signal: AbortSignal, child: Scope) => PromiseLike<T> | T,
  clock: Clock = systemClock,
): Promise<T> {
  if (scope.signal.aborted) throw abortError(scope.signal);
  const nowMs = clock.nowMs();
  const deadlineAtMs = childDeadline(scope.deadlineAtMs, capMs, nowMs);
  const limitedBy = deadlineAtMs < scope.deadlineAtMs ? 'cap' : 'request';
  const allowedMs = deadlineAtMs - nowMs;
  if (allowedMs <= 0) throw new DeadlineExceededError(limitedBy, 0);

  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const controller = new AbortController();
  const stop = (reason: Error): void => {
    controller.abort(reason);
    reject(reason);
  };
  const onCallerAbort = (): void => stop(abortError(scope.signal));
  const cancelTimer = clock.after(allowedMs, () =>
    stop(new DeadlineExceededError(limitedBy, allowedMs)),
  );
  // A signal that never aborts needs no listener, and one that all share would make removal slow.
  if (scope !== UNBOUNDED) scope.signal.addEventListener('abort', onCallerAbort);
  try {
    void started(run, controller.signal, deadlineAtMs).then(resolve, reject);
    return await promise;
  } finally {
    cancelTimer();
    scope.signal.removeEventListener('abort', onCallerAbort);
  }
}

// Async, so that a synchronous throw arrives like any other failure.
async function started<T>(
  run: (signal: AbortSignal, child: Scope) => PromiseLike<T> | T,
  signal: AbortSignal,
  deadlineAtMs: number,
): Promise<T> {
  return run(signal, { deadlineAtMs, signal });
}
