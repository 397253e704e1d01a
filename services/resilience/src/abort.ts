import { CallerAbortedError, DeadlineExceededError } from './errors';

/** Why a signal was aborted, as something that can be thrown. */
export function abortError(signal: AbortSignal): Error {
  const cause: unknown = signal.reason;
  return cause instanceof Error ? cause : new CallerAbortedError({ cause });
}

/** Who ended a call: time, the caller, or the call itself by failing. */
export function endedBy(error: unknown, signal?: AbortSignal): 'timeout' | 'caller' | 'call' {
  if (error instanceof DeadlineExceededError) return 'timeout';
  return signal?.aborted === true ? 'caller' : 'call';
}
