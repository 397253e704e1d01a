import type { AttemptOutcome, Ledger } from '@matsuri/database';
import {
  DeadlineExceededError,
  type BreakerPermit,
  type Finisher,
  type Reservation,
} from '@matsuri/resilience';
import type { Logger } from '@matsuri/telemetry';
import { priceMicroUsd } from './core/call-price';
import type { AttemptFailure } from './core/failover';
import { settledAmounts } from './core/token-amounts';
import { takeFrom } from './core/limit-reading';
import { newUsageCount, recordedUsage, type RecordedUsage } from './core/usage-count';
import type { CallUsage } from './gateway';
import type { Dimension } from './limits';
import type { GatewayObserver } from './observer';
import { ModelCallError } from './ports';
import type { TargetState } from './target-states';

export interface AttemptWorld {
  readonly ledger: Pick<Ledger, 'settle'>;
  /** Settling outlives the call, and a drain waits for it. */
  readonly finisher: Finisher;
  readonly observer: GatewayObserver;
  readonly log: Pick<Logger, 'warn' | 'error'>;
  readonly nowMs: () => number;
}

export interface AttemptParts {
  readonly id: string;
  readonly state: TargetState;
  readonly inputTokens: number;
  readonly reservedTokens: number;
  readonly reservation: Reservation<Dimension>;
  readonly permit: BreakerPermit;
}

const NOTHING_USED: RecordedUsage = {
  usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
  estimated: false,
};

/** One call to one target, reserved everywhere, to be ended exactly once. */
export class Attempt {
  readonly id: string;
  readonly state: TargetState;
  readonly count = newUsageCount();
  readonly #parts: AttemptParts;
  readonly #world: AttemptWorld;
  readonly #controller = new AbortController();
  readonly #settled = Promise.withResolvers<CallUsage>();
  #accepted = false;
  #succeeded = false;
  #over = false;

  constructor(parts: AttemptParts, world: AttemptWorld) {
    this.id = parts.id;
    this.state = parts.state;
    this.#parts = parts;
    this.#world = world;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get usage(): Promise<CallUsage> {
    return this.#settled.promise;
  }

  /** The target took the call: from here on it may have cost something. */
  accept(): void {
    this.#accepted = true;
  }

  /** The target does what it is for: its first content is there, or its whole answer. */
  succeed(): void {
    this.#succeeded = true;
    this.#parts.permit.succeed();
  }

  /** Stops the model and frees its socket. */
  abort(reason: Error): void {
    this.#controller.abort(reason);
  }

  /** The answer is complete. */
  complete(): void {
    this.#end('completed', recordedUsage(this.count, this.#parts.inputTokens));
  }

  /** The call was reserved and never made. */
  release(): void {
    this.#parts.permit.release();
    this.#parts.reservation.cancel();
    this.#end('not-called', NOTHING_USED);
  }

  /** Nobody waits for the answer any more. */
  abandon(outcome: 'client-gone' | 'timed-out' | 'failed-over', reason: Error): void {
    if (this.#over) return;
    this.abort(reason);
    if (outcome === 'client-gone') this.#parts.permit.release();
    else this.#parts.permit.fail(reason);
    this.#end(outcome, recordedUsage(this.count, this.#parts.inputTokens));
  }

  /** The model failed. A call it refused, or never heard of, costs nothing. */
  fail(error: unknown): void {
    if (this.#over) return;
    if (this.#succeeded) this.#noteBreak(error);
    else this.#parts.permit.fail(error);
    const knownFree = !this.#accepted && error instanceof ModelCallError && !error.mayHaveCost;
    this.#end(
      'upstream-error',
      knownFree ? NOTHING_USED : recordedUsage(this.count, this.#parts.inputTokens),
    );
  }

  /** A target that begins well and breaks off speaks against itself a second time, in a count of its own. */
  #noteBreak(error: unknown): void {
    const { breaker } = this.state;
    if (breaker.view().phase === 'closed') breaker.acquire().fail(error);
  }

  #end(outcome: AttemptOutcome, { usage, estimated }: RecordedUsage): void {
    if (this.#over) return;
    this.#over = true;
    const { state, reservation, reservedTokens } = this.#parts;
    const amounts = settledAmounts(state.model, usage);
    reservation.settle(amounts);
    takeFrom(
      state.tokensLeft,
      state.perMinute.tokens,
      amounts.tokens - reservedTokens,
      this.#world.nowMs(),
    );
    const costMicroUsd = priceMicroUsd(state.profile, usage);
    this.#world.observer.settled(state.target, usage, costMicroUsd);
    this.#settled.resolve({ usage, estimated, costMicroUsd });
    this.#record({
      attemptId: this.id,
      status: estimated ? 'estimated' : 'settled',
      outcome,
      costMicroUsd,
      clientDisconnected: outcome === 'client-gone',
      ...usage,
    });
  }

  #record(settlement: Parameters<Ledger['settle']>[0]): void {
    const { finisher, ledger, log } = this.#world;
    const settle = (): Promise<unknown> => ledger.settle(settlement);
    if (finisher.detach('settlement', settle)) return;
    // Beyond the bound it is still settled; only a drain does not wait for it by name.
    settle().catch((err: unknown) => log.error('settlement failed', { err }));
  }
}

/** What an error says about the attempt it ended. */
export function failureOf(error: unknown): AttemptFailure {
  if (error instanceof DeadlineExceededError) return { kind: 'late' };
  if (!(error instanceof ModelCallError)) return { kind: 'unavailable' };
  switch (error.failure) {
    case 'throttled':
      return { kind: 'throttled', retryAfterMs: error.retryAfterMs };
    case 'unavailable':
    case 'misconfigured':
      return { kind: error.failure };
    // Another target may be in another region, which has its own.
    case 'no-connection':
      return { kind: 'unavailable' };
    case 'invalid-request':
      return { kind: 'invalid-request', message: error.message };
  }
}
