import { BoundedMemo } from './core/bounded-memo';
import { exceedsBurst, PriceList, type Amounts } from './core/bucket-limits';
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
  /**
   * How long each dimension took to be full again when this was granted, over all processes; absent where only this one
   * is seen.
   */
  readonly untilFullMs?: Amounts<D>;
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
  /** The bucket is being asked for it. */
  asked: boolean;
}

interface Lane<D extends string> {
  readonly waiting: Fifo<Waiting<D>>;
  /** The first that is not being asked for. */
  next: Waiting<D> | undefined;
  refillMs: number;
  asking: number;
  /** How many the bucket may be asked for at once. */
  width: number;
  pausing: boolean;
}

const MAX_PRICE_LISTS = 10_000;

/**
 * Takes reservations for the requests of this process. Each tenant has a lane, first come first served. While there is room
 * all of a lane is asked for at once; from the first wait on only its head talks to the bucket, until there is room again: a
 * crowd that has to wait costs the bucket one question at a time, and a place that lies ahead is waited for once.
 */
export class RateLimiter<D extends string> {
  readonly #options: RateLimiterOptions<D>;
  readonly #clock: Clock;
  readonly #lanes = new Map<string, Lane<D>>();
  readonly #prices: PriceList<D>;
  readonly #tenantPrices: BoundedMemo<string, PriceList<D>>;
  #waiting = 0;
  #queuedRefillMs = 0;

  constructor(options: RateLimiterOptions<D>) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    const { limits, tenantLimits } = options.policy;
    this.#prices = new PriceList(limits);
    this.#tenantPrices = new BoundedMemo(
      MAX_PRICE_LISTS,
      (tenant) => new PriceList(tenantLimits(tenant)),
    );
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
    const cancelTimer = this.#clock.after(remainingMs(scope.deadlineAtMs, waiting.sinceMs), () => {
      // A question under way is bounded by itself, and may have been answered while this process was busy.
      if (waiting.asked) return;
      this.#leave(waiting, () => resolve(refused('deadline', waiting.refillMs)));
    });
    scope.signal.addEventListener('abort', quit);
    try {
      return await promise;
    } finally {
      cancelTimer();
      scope.signal.removeEventListener('abort', quit);
    }
  }

  #refusal(tenant: string, amounts: Amounts<D>, scope: Scope): ReserveResult<D> | undefined {
    const { maxWaiting } = this.#options;
    const tooLarge =
      exceedsBurst(this.#prices.chargeOf(amounts)) ||
      exceedsBurst(this.#tenantPrices.get(tenant).chargeOf(amounts));
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
      refillMs: Math.max(...this.#prices.chargeOf(amounts).costs) / 1_000,
      ...settle,
      queued: true,
      asked: false,
      previous: undefined,
      next: undefined,
    };
    const lane = this.#lane(tenant);
    lane.waiting.push(waiting);
    lane.next ??= waiting;
    lane.refillMs += waiting.refillMs;
    this.#queuedRefillMs += waiting.refillMs;
    this.#waiting++;
    this.#drive(tenant, lane);
    return waiting;
  }

  #lane(tenant: string): Lane<D> {
    const known = this.#lanes.get(tenant);
    if (known) return known;
    const lane: Lane<D> = {
      waiting: new Fifo<Waiting<D>>(),
      next: undefined,
      refillMs: 0,
      asking: 0,
      width: Infinity,
      pausing: false,
    };
    this.#lanes.set(tenant, lane);
    return lane;
  }

  #drive(tenant: string, lane: Lane<D>): void {
    if (lane.pausing) return;
    while (lane.next && lane.asking < lane.width) {
      const head = lane.next;
      lane.next = head.next;
      void this.#serve(tenant, lane, head);
    }
    if (lane.asking === 0 && !lane.waiting.first) this.#lanes.delete(tenant);
  }

  async #serve(tenant: string, lane: Lane<D>, head: Waiting<D>): Promise<void> {
    head.asked = true;
    lane.asking++;
    const pauseMs = await this.#settleOn(lane, head);
    lane.asking--;
    if (pauseMs > 0) this.#pause(tenant, lane, pauseMs);
    else this.#drive(tenant, lane);
  }

  /** Asks for one; the answer is how long the lane should pause. */
  async #settleOn(lane: Lane<D>, head: Waiting<D>): Promise<number> {
    const leftMs = (): number => remainingMs(head.scope.deadlineAtMs, this.#clock.nowMs());
    const answer = await this.#ask(head, leftMs());
    if (!answer) return 0;
    const atOnce = answer.kind === 'granted' && answer.waitMs <= 0;
    lane.width = atOnce ? 2 * lane.width : 1;
    if (!head.queued) {
      if (answer.kind === 'granted') this.#finish(answer.bucket.cancel(head.demand));
      return 0;
    }
    if (answer.kind === 'granted') {
      // The question took so long that the wait after it does not fit any more.
      if (!atOnce && answer.waitMs > leftMs()) {
        this.#finish(answer.bucket.cancel(head.demand));
        this.#leave(head, () => head.resolve(refused('deadline', answer.waitMs)));
        return 0;
      }
      this.#leave(head, () => void this.#keep(head, answer));
      return 0;
    }
    if (answer.kind === 'later' && answer.waitMs < leftMs()) {
      head.asked = false;
      return answer.waitMs;
    }
    this.#leave(head, () => head.resolve(refused('deadline', answer.waitMs)));
    return 0;
  }

  /** Several may come back at once; the first of them says how long, and all are asked for again in their order. */
  #pause(tenant: string, lane: Lane<D>, pauseMs: number): void {
    lane.next = lane.waiting.first;
    while (lane.next?.asked === true) lane.next = lane.next.next;
    if (lane.pausing) return;
    lane.pausing = true;
    void sleep(pauseMs, this.#clock).then(() => {
      lane.pausing = false;
      this.#drive(tenant, lane);
    });
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
    { waitMs, grantedAtMicros, untilFullMs, bucket }: Extract<BucketAnswer<D>, { kind: 'granted' }>,
  ): Promise<void> {
    this.#waiting++;
    try {
      if (waitMs > 0) await sleep(waitMs, this.#clock, scope.signal);
      const waitedMs = this.#clock.nowMs() - sinceMs;
      const settlement = this.#settlement(demand, bucket);
      resolve({
        kind: 'granted',
        reservation: {
          grantedAtMicros,
          source: bucket.source,
          waitedMs,
          ...(untilFullMs && { untilFullMs }),
          ...settlement,
        },
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
    if (lane?.next === waiting) lane.next = waiting.next;
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
