import { deadlineIn, NO_DEADLINE, type DeadlineAtMs } from './core/deadline';
import type { Cancel, Clock } from './core/clock';
import { abortError } from './abort';
import { DeadlineExceededError } from './errors';
import { systemClock } from './system-clock';

/** What everything done for one request carries along: until when, and whether still. */
export interface Scope {
  readonly deadlineAtMs: DeadlineAtMs;
  readonly signal: AbortSignal;
}

const NEVER = new AbortController().signal;

/** For work that no request waits for. */
export const UNBOUNDED: Scope = { deadlineAtMs: NO_DEADLINE, signal: NEVER };

export interface RequestScopeOptions {
  readonly budgetMs: number;
  /** Aborted when the client leaves. */
  readonly caller?: AbortSignal;
  readonly clock?: Clock;
}

/** One deadline and one signal for one request; `close` it when the request is over. */
export class RequestScope implements Scope {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  #deadlineAtMs: DeadlineAtMs;
  #cancelTimer: Cancel;

  constructor({ budgetMs, caller, clock = systemClock }: RequestScopeOptions) {
    this.#deadlineAtMs = deadlineIn(budgetMs, clock.nowMs());
    this.#caller = caller;
    this.#cancelTimer = clock.after(budgetMs, () =>
      this.abort(new DeadlineExceededError('request', budgetMs)),
    );
    if (caller?.aborted === true) this.#onCallerAbort();
    else caller?.addEventListener('abort', this.#onCallerAbort);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get deadlineAtMs(): DeadlineAtMs {
    return this.#deadlineAtMs;
  }

  /** The first content is out: from here on only the caller ends the request, not time. */
  liftDeadline(): void {
    this.#cancelTimer();
    this.#deadlineAtMs = NO_DEADLINE;
  }

  abort(reason: Error): void {
    this.close();
    this.#controller.abort(reason);
  }

  /** Lets go of timer and caller; the signal stays as it is. */
  close(): void {
    this.#cancelTimer();
    this.#caller?.removeEventListener('abort', this.#onCallerAbort);
  }

  readonly #onCallerAbort = (): void => {
    if (this.#caller) this.abort(abortError(this.#caller));
  };
}
