import {
  breakerRetryAfterMs,
  createBreaker,
  endIsolation,
  isolate,
  onResult,
  tryAcquire,
  viewBreaker,
  type BreakerOutcome,
  type BreakerSettings,
  type BreakerState,
  type BreakerTransition,
  type BreakerView,
} from './core/breaker';
import { restoreBreaker, snapshotBreaker, type BreakerSnapshot } from './core/breaker-snapshot';
import type { Clock, Random } from './core/clock';
import { endedBy } from './abort';
import { BreakerOpenError } from './errors';
import { systemClock } from './system-clock';
import { DEFAULT_BREAKER } from './core/configured';

/** Whether an error speaks against the downstream. */
export type ClassifyError = (error: unknown, signal?: AbortSignal) => 'failure' | 'ignored';

/** Time running out is the downstream's failure; the caller's leaving is nobody's. */
export const failureUnlessAborted: ClassifyError = (error, signal) =>
  endedBy(error, signal) === 'caller' ? 'ignored' : 'failure';

export interface BreakerOptions {
  readonly name: string;
  /** @default DEFAULT_BREAKER */
  readonly settings?: Partial<BreakerSettings>;
  /** @default failureUnlessAborted */
  readonly classify?: ClassifyError;
  /** Called once per transition, in order, after the state has changed. */
  readonly onTransition?: (transition: BreakerTransition) => void;
  /** @default closed with an empty window */
  readonly snapshot?: BreakerSnapshot;
  readonly clock?: Clock;
  readonly random?: Random;
}

/** A permission that must be answered once; further answers are ignored. */
export interface BreakerPermit {
  succeed(): void;
  /** Classifies the error, then counts or ignores it. */
  fail(error: unknown, signal?: AbortSignal): void;
  /** Neither success nor failure. */
  release(): void;
}

/**
 * The breaker of one downstream. Put the timeout inside (`breaker.run(() => withDeadline(...))`), so that hanging
 * calls are seen as failures, and the fallback outside, so that it serves every kind of failure.
 */
export class Breaker {
  readonly name: string;
  readonly #state: BreakerState;
  readonly #clock: Clock;
  readonly #classify: ClassifyError;
  readonly #onTransition: ((transition: BreakerTransition) => void) | undefined;
  #reporting = false;

  constructor(options: BreakerOptions) {
    const { name, snapshot, clock = systemClock, random = Math.random } = options;
    const settings = { ...DEFAULT_BREAKER, ...options.settings };
    this.name = name;
    this.#clock = clock;
    this.#classify = options.classify ?? failureUnlessAborted;
    this.#onTransition = options.onTransition;
    this.#state = snapshot
      ? restoreBreaker(snapshot, settings, random, clock.nowMs())
      : createBreaker(settings, random, clock.nowMs());
  }

  /** Runs the call, or throws BreakerOpenError without starting it. */
  async run<T>(call: () => PromiseLike<T> | T, signal?: AbortSignal): Promise<T> {
    const startedMs = this.#clock.nowMs();
    const permit = this.#acquire(startedMs);
    try {
      const value = await call();
      this.#answer(permit, 'success', startedMs);
      return value;
    } catch (error) {
      this.#answer(permit, this.#classify(error, signal), startedMs);
      throw error;
    }
  }

  /** For calls whose outcome is known later than a promise tells, such as streams. */
  acquire(): BreakerPermit {
    const startedMs = this.#clock.nowMs();
    const permit = this.#acquire(startedMs);
    let answered = false;
    const answer = (outcome: BreakerOutcome): void => {
      if (answered) return;
      answered = true;
      this.#answer(permit, outcome, startedMs);
    };
    return {
      succeed: () => answer('success'),
      fail: (error, signal) => answer(this.#classify(error, signal)),
      release: () => answer('ignored'),
    };
  }

  /** Holds the breaker open until every handle has been released. */
  isolate(): { release(): void } {
    isolate(this.#state, this.#clock.nowMs());
    this.#report();
    let released = false;
    return {
      release: () => {
        if (released) return;
        released = true;
        endIsolation(this.#state, this.#clock.nowMs());
        this.#report();
      },
    };
  }

  /** How long nobody is let through; 0: the next may try. Cheaper than a view, for those who ask before every call. */
  get retryAfterMs(): number {
    return breakerRetryAfterMs(this.#state, this.#clock.nowMs());
  }

  view(): BreakerView {
    return viewBreaker(this.#state, this.#clock.nowMs());
  }

  snapshot(): BreakerSnapshot {
    return snapshotBreaker(this.#state, this.#clock.nowMs());
  }

  #acquire(nowMs: number): number {
    const permit = tryAcquire(this.#state, nowMs);
    this.#report();
    if (permit !== undefined) return permit;
    throw new BreakerOpenError(this.name, breakerRetryAfterMs(this.#state, nowMs));
  }

  #answer(permit: number, outcome: BreakerOutcome, startedMs: number): void {
    const nowMs = this.#clock.nowMs();
    onResult(this.#state, permit, outcome, nowMs - startedMs, nowMs);
    this.#report();
  }

  /** A listener may call back into the breaker; its transitions queue behind the one being reported. */
  #report(): void {
    const { transitions } = this.#state;
    if (transitions.length === 0 || this.#reporting) return;
    this.#reporting = true;
    for (let next = transitions.shift(); next; next = transitions.shift()) this.#tell(next);
    this.#reporting = false;
  }

  /** A listener's own failure is an uncaught exception, as with any emitter, not the failure of a call. */
  #tell(transition: BreakerTransition): void {
    try {
      this.#onTransition?.(transition);
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  }
}
