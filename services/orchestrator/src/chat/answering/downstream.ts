import type { PlatformConfiguration } from '@matsuri/contract';
import {
  Breaker,
  BreakerOpenError,
  Bulkhead,
  breakerSettings,
  bulkheadSettings,
  childDeadline,
  failureUnlessAborted,
  PoolExhaustedError,
  retry,
  RetryBudget,
  retryBudgetSettings,
  retrySettings,
  systemClock,
  withDeadline,
  type BreakerTransition,
  type BulkheadView,
  type Clock,
  type PressureChange,
  type RetryVerdict,
  type Scope,
} from '@matsuri/resilience';

/** How many may use a downstream at once; how many more may wait, and how long. */
export interface Room {
  readonly maxConcurrent: number;
  readonly maxWaiting: number;
  /** Less where the call itself has little time. */
  readonly acquireTimeoutMs: number;
}

export interface DownstreamOptions {
  readonly name: string;
  readonly configuration: Pick<PlatformConfiguration, 'breaker' | 'retry' | 'pools'>;
  readonly room: Room;
  /** The longest one use of it may take, retries included. */
  readonly capMs: number;
  /** Whether a failure speaks against the downstream, rather than against what it was asked. */
  readonly isFault: (error: unknown) => boolean;
  readonly onTransition?: (transition: BreakerTransition) => void;
  readonly onPressure?: (change: PressureChange, view: BulkheadView) => void;
  readonly clock?: Clock;
}

/**
 * The way to one downstream: retries within a budget, around a breaker that sees timeouts as failures, around a bounded
 * pool. That the pool is full is no fault of the downstream and does not count against it.
 */
export class Downstream {
  readonly name: string;
  readonly #breaker: Breaker;
  readonly #pool: Bulkhead;
  readonly #budget: RetryBudget;
  readonly #options: DownstreamOptions;
  readonly #clock: Clock;
  #peak = 0;

  constructor(options: DownstreamOptions) {
    const { name, configuration, room, clock = systemClock } = options;
    this.name = name;
    this.#options = options;
    this.#clock = clock;
    this.#budget = new RetryBudget(retryBudgetSettings(configuration.retry));
    this.#breaker = new Breaker({
      name,
      settings: breakerSettings(configuration.breaker),
      classify: (error, signal) =>
        error instanceof PoolExhaustedError || !options.isFault(error)
          ? 'ignored'
          : failureUnlessAborted(error, signal),
      ...(options.onTransition && { onTransition: options.onTransition }),
      clock,
    });
    this.#pool = new Bulkhead({
      name,
      settings: bulkheadSettings(configuration.pools, {
        maxConcurrent: room.maxConcurrent,
        maxQueued: room.maxWaiting,
      }),
      ...(options.onPressure && { onPressure: options.onPressure }),
      clock,
    });
  }

  /** Asks the downstream, within its cap and the scope. */
  run<T>(scope: Scope, call: (signal: AbortSignal) => PromiseLike<T>): Promise<T> {
    const { capMs, configuration } = this.#options;
    const deadlineAtMs = childDeadline(scope.deadlineAtMs, capMs, this.#clock.nowMs());
    const bounded: Scope = { deadlineAtMs, signal: scope.signal };
    return retry(
      () => this.#attempt(bounded, call),
      {
        budget: this.#budget,
        settings: retrySettings(configuration.retry),
        classify: (error) => this.#verdict(error),
        clock: this.#clock,
      },
      bounded,
    );
  }

  get open(): boolean {
    return this.#breaker.view().phase !== 'closed';
  }

  pool(): BulkheadView {
    return this.#pool.view();
  }

  /** The most of the pool that was in use since this was last asked. */
  takePeakUtilisation(): number {
    const peak = Math.max(this.#peak, this.pool().utilisation);
    this.#peak = 0;
    return peak;
  }

  #attempt<T>(scope: Scope, call: (signal: AbortSignal) => PromiseLike<T>): Promise<T> {
    return this.#breaker.run(
      () =>
        withDeadline(
          scope,
          this.#options.capMs,
          (signal, child) =>
            this.#pool.run(() => {
              this.#peak = Math.max(this.#peak, this.pool().utilisation);
              return call(signal);
            }, this.#waiting(child)),
          this.#clock,
        ),
      scope.signal,
    );
  }

  /**
   * Half of the time is for the call: were it cut while it waits, or as soon as it begins, that our pool is full would be
   * held against the downstream.
   */
  #waiting({ deadlineAtMs, signal }: Scope): Scope {
    const nowMs = this.#clock.nowMs();
    const { acquireTimeoutMs } = this.#options.room;
    const waitMs = Math.min(acquireTimeoutMs, (deadlineAtMs - nowMs) / 2);
    return { deadlineAtMs: nowMs + waitMs, signal };
  }

  #verdict(error: unknown): RetryVerdict {
    const ours = error instanceof BreakerOpenError || error instanceof PoolExhaustedError;
    return { kind: ours || !this.#options.isFault(error) ? 'final' : 'retry' };
  }
}
