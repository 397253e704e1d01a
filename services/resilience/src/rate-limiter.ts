import { chargeOf, exceedsBurst, type Amounts } from './core/bucket-limits';
import type { Clock } from './core/clock';
import { fitsDeadline, remainingMs } from './core/deadline';
import { Fifo, type Linked } from './core/fifo';
import { abortError } from './abort';
import type { Bucket, BucketAnswer, BucketPolicy, Demand } from './bucket-port';
import { UNBOUNDED, type Scope } from './request-scope';
import { sleep } from './sleep';
import { systemClock } from './system-clock';

/** A place whose time has come. Settle it once the real amounts are known; unsettled, the reserved ones stand. */
export interface Reservation<D extends string> {
  readonly grantedAtMicros: number;
  readonly source: 'shared' | 'local';
  readonly waitedMs: number;
  /** Refunds or charges the difference, off the hot path; dimensions left out stay as reserved. Once only. */
  settle(actual: Amounts<D>): void;
  /** The call was never made: gives everything back. */
  cancel(): void;
}

export type ReserveResult<D extends string> =
  | { readonly kind: 'granted'; readonly reservation: Reservation<D> }
  | {
      readonly kind: 'refused';
      /** `too-large`: more than a full bucket holds, so waiting is no use. */
      readonly reason: 'deadline' | 'queue-full' | 'too-large';
      readonly retryAfterMs: number;
    };

export interface RateLimiterOptions<D extends string> {
  readonly bucket: Bucket<D>;
  readonly policy: BucketPolicy<D>;
  /** Requests of this process that may wait, all tenants together. */
  readonly maxWaiting: number;
  readonly newId: () => string;
  /** A settlement that did not get through; the reserved amounts stand. */
  readonly onSettleError?: (error: unknown) => void;
  readonly clock?: Clock;
}

interface Waiting<D extends string> extends Linked<Waiting<D>> {
  readonly demand: Demand<D>;
  readonly scope: Scope;
  readonly sinceMs: number;
  /** The least time this request takes of the group's refill. */
  readonly refillMs: number;
  readonly resolve: (result: ReserveResult<D>) => void;
  readonly reject: (error: Error) => void;
  queued: boolean;
}

interface Lane<D extends string> {
  readonly waiting: Fifo<Waiting<D>>;
  refillMs: number;
  driven: boolean;
}

/**
 * Takes reservations for the requests of this process. Each tenant has a lane, first come first served, of which only the
 * head talks to the bucket: a crowd costs the bucket one question at a time, and a place that lies
 * ahead is waited for once, without asking again.
 */
export class RateLimiter<D extends string> {
  readonly #options: RateLimiterOptions<D>;
  readonly #clock: Clock;
  readonly #lanes = new Map<string, Lane<D>>();
  #waiting = 0;
  #queuedRefillMs = 0;

  constructor(options: RateLimiterOptions<D>) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /** Requests waiting for a place. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Waits only if the wait fits the deadline, else refuses at once; rejects with the reason when the caller aborts. */
  async reserve(
    tenant: string,
    amounts: Amounts<D>,
    scope: Scope = UNBOUNDED,
  ): Promise<ReserveResult<D>> {
    if (scope.signal.aborted) throw abortError(scope.signal);
    const refusal = this.#refusal(tenant, amounts, scope);
    if (refusal) return refusal;

    const { promise, resolve, reject } = Promise.withResolvers<ReserveResult<D>>();
    const waiting = this.#enqueue(tenant, amounts, scope, { resolve, reject });
    const quit = (): void => this.#leave(waiting, () => reject(abortError(scope.signal)));
    const cancelTimer = this.#clock.after(remainingMs(scope.deadlineAtMs, waiting.sinceMs), () =>
      this.#leave(waiting, () => resolve(refused('deadline', waiting.refillMs))),
    );
    scope.signal.addEventListener('abort', quit);
    try {
      return await promise;
    } finally {
      cancelTimer();
      scope.signal.removeEventListener('abort', quit);
    }
  }

  #refusal(tenant: string, amounts: Amounts<D>, scope: Scope): ReserveResult<D> | undefined {
    const { policy, maxWaiting } = this.#options;
    const tooLarge =
      exceedsBurst(chargeOf(policy.limits, amounts)) ||
      exceedsBurst(chargeOf(policy.tenantLimits(tenant), amounts));
    if (tooLarge) return refused('too-large', Infinity);

    // What waits ahead in the lane takes this long even if no one else wanted anything.
    const aheadMs = this.#lanes.get(tenant)?.refillMs ?? 0;
    if (this.#waiting >= maxWaiting) return refused('queue-full', this.#queuedRefillMs);
    const nowMs = this.#clock.nowMs();
    return aheadMs > 0 && !fitsDeadline(scope.deadlineAtMs, aheadMs, nowMs)
      ? refused('deadline', aheadMs)
      : undefined;
  }

  #enqueue(
    tenant: string,
    amounts: Amounts<D>,
    scope: Scope,
    settle: Pick<Waiting<D>, 'resolve' | 'reject'>,
  ): Waiting<D> {
    const waiting: Waiting<D> = {
      demand: { id: this.#options.newId(), tenant, amounts },
      scope,
      sinceMs: this.#clock.nowMs(),
      refillMs: Math.max(...chargeOf(this.#options.policy.limits, amounts).costs) / 1_000,
      ...settle,
      queued: true,
      previous: undefined,
      next: undefined,
    };
    const lane = this.#lane(tenant);
    lane.waiting.push(waiting);
    lane.refillMs += waiting.refillMs;
    this.#queuedRefillMs += waiting.refillMs;
    this.#waiting++;
    if (!lane.driven) void this.#drive(tenant, lane);
    return waiting;
  }

  #lane(tenant: string): Lane<D> {
    const known = this.#lanes.get(tenant);
    if (known) return known;
    const lane: Lane<D> = { waiting: new Fifo<Waiting<D>>(), refillMs: 0, driven: false };
    this.#lanes.set(tenant, lane);
    return lane;
  }

  async #drive(tenant: string, lane: Lane<D>): Promise<void> {
    lane.driven = true;
    for (let head = lane.waiting.first; head; head = lane.waiting.first) {
      const pauseMs = await this.#serve(head);
      if (pauseMs > 0) await sleep(pauseMs, this.#clock);
    }
    this.#lanes.delete(tenant);
  }

  /** Asks for the head of a lane; the answer is how long the lane should pause. */
  async #serve(head: Waiting<D>): Promise<number> {
    const leftMs = (): number => remainingMs(head.scope.deadlineAtMs, this.#clock.nowMs());
    const answer = await this.#ask(head, leftMs());
    if (!answer) return 0;
    if (!head.queued) {
      if (answer.kind === 'granted') this.#finish(answer.bucket.cancel(head.demand));
      return 0;
    }
    if (answer.kind === 'granted') {
      this.#leave(head, () => void this.#keep(head, answer));
      return 0;
    }
    if (answer.kind === 'later' && answer.waitMs < leftMs()) return answer.waitMs;
    this.#leave(head, () => head.resolve(refused('deadline', answer.waitMs)));
    return 0;
  }

  async #ask(head: Waiting<D>, maxWaitMs: number): Promise<BucketAnswer<D> | undefined> {
    try {
      return await this.#options.bucket.ask(head.demand, maxWaitMs);
    } catch (error) {
      const cause =
        error instanceof Error ? error : new Error('the bucket failed', { cause: error });
      this.#leave(head, () => head.reject(cause));
      return undefined;
    }
  }

  /** The place is taken; its time may still have to come. */
  async #keep(
    { demand, scope, sinceMs, resolve, reject }: Waiting<D>,
    { waitMs, grantedAtMicros, bucket }: Extract<BucketAnswer<D>, { kind: 'granted' }>,
  ): Promise<void> {
    this.#waiting++;
    try {
      if (waitMs > 0) await sleep(waitMs, this.#clock, scope.signal);
      const waitedMs = this.#clock.nowMs() - sinceMs;
      const settlement = this.#settlement(demand, bucket);
      resolve({
        kind: 'granted',
        reservation: { grantedAtMicros, source: bucket.source, waitedMs, ...settlement },
      });
    } catch {
      this.#finish(bucket.cancel(demand));
      reject(abortError(scope.signal));
    } finally {
      this.#waiting--;
    }
  }

  #settlement(demand: Demand<D>, bucket: Bucket<D>): Pick<Reservation<D>, 'settle' | 'cancel'> {
    let settled = false;
    const once = (work: () => Promise<void>): void => {
      if (settled) return;
      settled = true;
      this.#finish(work());
    };
    return {
      settle: (actual) => once(() => bucket.settle(demand, actual)),
      cancel: () => once(() => bucket.cancel(demand)),
    };
  }

  #leave(waiting: Waiting<D>, then: () => void): void {
    if (!waiting.queued) return;
    waiting.queued = false;
    const lane = this.#lanes.get(waiting.demand.tenant);
    lane?.waiting.remove(waiting);
    if (lane) lane.refillMs -= waiting.refillMs;
    this.#queuedRefillMs -= waiting.refillMs;
    this.#waiting--;
    then();
  }

  #finish(work: Promise<void>): void {
    work.catch((error: unknown) => this.#options.onSettleError?.(error));
  }
}

function refused(
  reason: 'deadline' | 'queue-full' | 'too-large',
  retryAfterMs: number,
): { kind: 'refused'; reason: typeof reason; retryAfterMs: number } {
  return { kind: 'refused', reason, retryAfterMs };
}
