/** Time ran out: the step's own cap, or the whole request's deadline. */
export class DeadlineExceededError extends Error {
  override readonly name = 'DeadlineExceededError';
  constructor(
    readonly limitedBy: 'cap' | 'request',
    readonly afterMs: number,
  ) {
    super(
      limitedBy === 'cap'
        ? `no answer within ${afterMs} ms`
        : `the request's deadline passed after ${afterMs} ms`,
    );
  }
}

/** The caller went away and gave a reason that is not an error. */
export class CallerAbortedError extends Error {
  override readonly name = 'CallerAbortedError';
  constructor(options?: ErrorOptions) {
    super('the caller aborted', options);
  }
}

/** The breaker did not let the call through; nothing was sent. */
export class BreakerOpenError extends Error {
  override readonly name = 'BreakerOpenError';
  constructor(
    readonly breaker: string,
    readonly retryAfterMs: number,
  ) {
    super(`the breaker of ${breaker} is open`);
  }
}

/** No slot was had: too many were waiting already, or the wait outlasted the caller's deadline. */
export class PoolExhaustedError extends Error {
  override readonly name = 'PoolExhaustedError';
  constructor(
    readonly pool: string,
    readonly reason: 'queue-full' | 'timeout',
  ) {
    super(
      reason === 'timeout'
        ? `no slot of ${pool} came free in time`
        : `the queue of ${pool} is full`,
    );
  }
}
