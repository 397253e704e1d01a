import {
  DeadlineExceededError,
  RequestScope,
  retrySettings,
  sleep,
  type Cancel,
  type Reservation,
  type Slot,
} from '@matsuri/resilience';
import { fullJitterMs } from '@matsuri/resilience/core';
import { admit, BRIEF_MS, openForMs } from './admission';
import { failureOf, type Attempt } from './attempt';
import type { CallFacts, CallWorld } from './call-world';
import { refusalAfter, stepAfter, type AttemptFailure } from './core/failover';
import type { GatewayRefusal } from './core/gateway-refusal';
import { holderOf, type LimitHolder } from './core/limit-holder';
import { readLimit, type LimitReadings } from './core/limit-reading';
import { reservedAmounts } from './core/token-amounts';
import { takeSlot, takeTokenLimit } from './entry';
import type { GatewayCall, Outcome } from './gateway';
import type { Dimension } from './limits';
import { watchSlot, type Pulse } from './slot-watch';
import type { TargetState } from './target-states';

export interface OpenCallOptions {
  readonly call: GatewayCall;
  readonly targets: readonly TargetState[];
  readonly inputTokens: number;
  /** Within which a call must be on its way, and a stream must have content. */
  readonly deadlineMs: number;
  /** Within which the whole answer must be there; as long as the deadline for a stream, which has no such limit. */
  readonly totalMs: number;
  /** What a caller is told whose time ran out while a model was being asked. */
  readonly late: GatewayRefusal;
  /** Called once, when the call holds nothing any more. */
  readonly onRelease: () => void;
}

/** So many calls of the same size must fit into what a caller has left before it counts as room to spare. */
const AMPLE = 10;
const ENTERED = Promise.resolve(undefined);
const BUSY: Pulse = { busy: true, steps: 0 };

/** One call on its way: what it holds and whom it has tried. Gives everything back on every way out. */
export class OpenCall {
  readonly facts: CallFacts;
  readonly #world: CallWorld;
  readonly #options: OpenCallOptions;
  readonly #scope: RequestScope;
  readonly #startedAtMs: number;
  readonly #holder: LimitHolder | undefined;
  #pulse: () => Pulse = () => BUSY;
  #letGo: (() => void) | undefined;
  #tokenReservation: Reservation<Dimension> | undefined;
  #entered: Promise<GatewayRefusal | undefined> = ENTERED;
  #slot: Slot | undefined;
  #unwatch: Cancel | undefined;
  #attempt: Attempt | undefined;
  #attempts = 0;
  #untried: readonly TargetState[];
  #firstFailure: AttemptFailure | undefined;
  /** The next attempt is paid for from the retry budget. */
  #retryTaken = false;
  /** This attempt was. */
  #retrying = false;
  #fellBack = false;
  #released = false;

  constructor(options: OpenCallOptions, world: CallWorld) {
    const { call, inputTokens, deadlineMs, totalMs, targets } = options;
    const { clock } = world;
    this.#world = world;
    this.#options = options;
    this.#untried = targets;
    this.#startedAtMs = clock.nowMs();
    this.#scope = new RequestScope({ budgetMs: totalMs, caller: call.signal, clock });
    this.#holder = holderOf(call.caller);
    const scope = { deadlineAtMs: this.#startedAtMs + deadlineMs, signal: this.#scope.signal };
    const amounts = reservedAmounts(inputTokens, call.request.maxTokens);
    this.facts = { ...call, inputTokens, amounts, scope };
    world.retryBudget.requestStarted();
    if (this.#scope.signal.aborted) this.#onAbort();
    else this.#scope.signal.addEventListener('abort', this.#onAbort);
  }

  get elapsedMs(): number {
    return this.#world.clock.nowMs() - this.#startedAtMs;
  }

  /** Whether a model was asked, or the caller waited to ask one. */
  get keptWaiting(): boolean {
    return this.#attempts > 0 || this.elapsedMs > BRIEF_MS;
  }

  /**
   * Enters, then asks one target after the other until one answers. On `answered` the call still holds its slot, and
   * whoever got the answer releases it.
   */
  async run<T>(ask: (attempt: Attempt) => Promise<T>): Promise<Outcome<T>> {
    try {
      const refusal = await this.#enter();
      const outcome = refusal ? refused(refusal) : await this.#askInTurn(ask);
      if (outcome.kind === 'refused') this.release();
      return outcome;
    } catch (error) {
      this.release();
      const reason: unknown = this.#scope.signal.reason;
      if (!(reason instanceof DeadlineExceededError)) throw error;
      return refused(this.#lateRefusal());
    }
  }

  /** The first content is there: from now on only the caller ends the call, not time. */
  begun(stream: { readonly pulse: Pulse; letGo(): void }): void {
    this.#scope.liftDeadline();
    this.#pulse = () => stream.pulse;
    if (this.#released) stream.letGo();
    else this.#letGo = () => stream.letGo();
  }

  /** Ends the call from within, as if its caller had left. */
  abort(reason: Error): void {
    this.#scope.abort(reason);
  }

  /** What is left of the limits that apply: the token's own, else those of the target. */
  readings({ requestsLeft, tokensLeft, perMinute }: TargetState): LimitReadings {
    const nowMs = this.#world.clock.nowMs();
    if (this.#holder !== undefined) return this.#world.tokenReadings.read(this.#holder, nowMs);
    return {
      requests: readLimit(requestsLeft, perMinute.requests, nowMs),
      tokens: readLimit(tokensLeft, perMinute.tokens, nowMs),
    };
  }

  /** Whether the call may leave this attempt for another target; if so, the retry is taken from the budget. */
  takeRetry(): boolean {
    if (this.#retryTaken) return true;
    const elsewhere = this.#untried.some((state) => openForMs(state) === 0);
    this.#retryTaken = elsewhere && this.#world.retryBudget.tryRetry();
    return this.#retryTaken;
  }

  release(): void {
    if (this.#released) return;
    this.#released = true;
    this.#scope.signal.removeEventListener('abort', this.#onAbort);
    this.#scope.close();
    this.#unwatch?.();
    this.#letGo?.();
    this.#slot?.release();
    this.#endRetry();
    if (this.#retryTaken) this.#world.retryBudget.retryEnded();
    this.#world.retryBudget.requestEnded();
    this.#settleTokenLimit();
    this.#options.onRelease();
  }

  async #enter(): Promise<GatewayRefusal | undefined> {
    if (this.#holder !== undefined) {
      const entered = this.#takeTokenLimit(this.#holder);
      if (this.#mayRunAhead(this.#holder)) {
        this.#entered = entered;
        // A call that ends before it looks has no use for the answer.
        entered.catch(() => undefined);
      } else {
        const refusal = await entered;
        if (refusal) return refusal;
      }
    }
    const slot = await takeSlot(this.facts, this.#world);
    if (slot.kind === 'refused') return slot.refusal;
    this.#hold(slot.held);
    return undefined;
  }

  async #takeTokenLimit(holder: LimitHolder): Promise<GatewayRefusal | undefined> {
    const limit = await takeTokenLimit(holder, this.facts, this.#world);
    if (limit.kind === 'refused') return limit.refusal;
    if (this.#released) limit.held.cancel();
    else this.#tokenReservation = limit.held;
    return undefined;
  }

  /**
   * A caller with room to spare in its own limits, and a slot to be had, asks the target's limits in the same breath: one
   * way to Redis and back instead of two. Others ask one after the other, so that they take nobody's place in vain.
   */
  #mayRunAhead(holder: LimitHolder): boolean {
    const { slots, tokenReadings, clock } = this.#world;
    const { amounts } = this.facts;
    return (
      slots.expectedWaitMs() === 0 &&
      tokenReadings.leaveRoomFor(holder, amounts, AMPLE, clock.nowMs())
    );
  }

  #hold(slot: Slot): void {
    const { configuration, clock } = this.#world;
    this.#slot = slot;
    this.#unwatch = watchSlot({
      slot,
      clock,
      leaseMs: configuration.gateway.slotLeaseSeconds * 1_000,
      pulse: () => this.#pulse(),
      onLost: () => this.abort(new Error('the reader of the answer shows no life')),
    });
  }

  async #askInTurn<T>(ask: (attempt: Attempt) => Promise<T>): Promise<Outcome<T>> {
    for (;;) {
      const admission = await admit(this.facts, this.#untried, this.#world, this.#entered);
      if (admission.fellBack) this.#noteFallback();
      if (admission.kind === 'refused') return refused(this.#verdict() ?? admission.refusal);
      const { attempt } = admission;
      this.#begin(attempt);
      try {
        const answer = await ask(attempt);
        attempt.succeed();
        this.#endRetry();
        return { kind: 'answered', answer };
      } catch (error) {
        if (this.#scope.signal.aborted) throw error;
        const failure = this.#noteFailure(attempt, error);
        const goesOn = await this.#goOn(attempt, failure);
        if (!goesOn) return refused(this.#verdict() ?? refusalAfter(failure, this.#model));
      }
    }
  }

  #begin(attempt: Attempt): void {
    this.#attempt = attempt;
    this.#attempts += 1;
    this.#untried = this.#untried.filter((state) => state !== attempt.state);
    this.#retrying = this.#retryTaken;
    this.#retryTaken = false;
    if (this.#attempts === 1) this.#world.observer.attempted(this.elapsedMs);
  }

  #noteFallback(): void {
    if (!this.#fellBack) this.#world.observer.fellBack();
    this.#fellBack = true;
  }

  #noteFailure(attempt: Attempt, error: unknown): AttemptFailure {
    const { observer, log } = this.#world;
    attempt.fail(error);
    this.#endRetry();
    const failure = failureOf(error);
    this.#firstFailure ??= failure;
    if (failure.kind === 'throttled') observer.throttled(attempt.state.target);
    if (failure.kind === 'misconfigured') {
      log.error('a target is misconfigured', { target: attempt.state.name, err: error });
    }
    return failure;
  }

  /** Whether there is somebody left to ask, and a retry to ask them with. */
  async #goOn({ state }: Attempt, failure: AttemptFailure): Promise<boolean> {
    const { configuration, observer, log } = this.#world;
    const step = stepAfter(failure, {
      attempts: this.#attempts,
      maxAttempts: configuration.retry.maxAttempts,
      untried: this.#untried.length,
    });
    if (step === 'stop') return false;
    if (step === 'again') this.#untried = this.#options.targets;
    if (!this.takeRetry()) return false;
    observer.failedOver(state.target);
    const { requestId } = this.facts;
    log.warn('failover', { request_id: requestId, from: state.name, because: failure.kind });
    if (step === 'again') await this.#pause();
    return true;
  }

  /** Everybody failed at once: those who come back together must not come back in step. */
  #pause(): Promise<void> {
    const { configuration, clock, random } = this.#world;
    const pauseMs = fullJitterMs(this.#attempts, retrySettings(configuration.retry), random);
    return sleep(pauseMs, clock, this.#scope.signal);
  }

  get #model(): string {
    return this.facts.request.model;
  }

  #verdict(): GatewayRefusal | undefined {
    return this.#firstFailure && refusalAfter(this.#firstFailure, this.#model);
  }

  #lateRefusal(): GatewayRefusal {
    if (this.#attempt) return this.#verdict() ?? this.#options.late;
    const waitMs = this.#world.slots.expectedWaitMs();
    return { reason: 'overloaded', subject: this.#model, waitMs };
  }

  #endRetry(): void {
    if (!this.#retrying) return;
    this.#retrying = false;
    this.#world.retryBudget.retryEnded();
  }

  #settleTokenLimit(): void {
    const reservation = this.#tokenReservation;
    if (!reservation) return;
    if (!this.#attempt) {
      reservation.cancel();
      return;
    }
    void this.#attempt.usage.then(({ usage }) => {
      const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
      reservation.settle({
        tokens: inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens,
      });
    });
  }

  /** Time ran out or the caller left: the model is stopped now, whatever it does about it. */
  readonly #onAbort = (): void => {
    const reason: unknown = this.#scope.signal.reason;
    const error = reason instanceof Error ? reason : new Error('aborted', { cause: reason });
    const outcome = reason instanceof DeadlineExceededError ? 'timed-out' : 'client-gone';
    this.#attempt?.abandon(outcome, error);
    this.release();
  };
}

function refused(refusal: GatewayRefusal): Outcome<never> {
  return { kind: 'refused', refusal };
}
