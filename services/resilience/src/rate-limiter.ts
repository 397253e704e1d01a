import { BoundedMemo } from './core/bounded-memo';
import { exceedsBurst, PriceList, type Amounts, type Charge } from './core/bucket-limits';
import type { Clock } from './core/clock';
import { fitsDeadline, remainingMs } from './core/deadline';
import { abortError } from './abort';
import type { Bucket, BucketAnswer, BucketPolicy, Demand } from './bucket-port';
import { UNBOUNDED, type Scope } from './request-scope';
import { sleep } from './sleep';
import { systemClock } from './system-clock';
import { newLane, type Lane as TenantLane, type Waiting as QueuedRequest } from './waiting-lane';

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

type Waiting<D extends string> = QueuedRequest<D, ReserveResult<D>>;
type Lane<D extends string> = TenantLane<D, ReserveResult<D>>;
type Granted<D extends string> = Extract<BucketAnswer<D>, { kind: 'granted' }>;

interface Asked<D extends string> {
  readonly amounts: Amounts<D>;
  readonly price: Charge;
  readonly scope: Scope;
  readonly nowMs: number;
}

const MAX_PRICE_LISTS = 10_000;
const MAX_IDLE_LANES = 1_000;

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
  reserve(
    tenant: string,
    amounts: Amounts<D>,
    scope: Scope = UNBOUNDED,
  ): Promise<ReserveResult<D>> {
    if (scope.signal.aborted) return Promise.reject(abortError(scope.signal));
    const nowMs = this.#clock.nowMs();
    const price = this.#prices.chargeOf(amounts);
    const refusal = this.#refusal(tenant, { amounts, price, scope, nowMs });
    if (refusal) return Promise.resolve(refusal);
    return new Promise((resolve, reject) => {
      const waiting: Waiting<D> = {
        demand: { id: this.#options.newId(), tenant, amounts },
        scope,
        sinceMs: nowMs,
        refillMs: Math.max(...price.costs) / 1_000,
        resolve,
        reject,
        queued: true,
        asked: false,
        quit: () => this.#leave(waiting, () => reject(abortError(scope.signal))),
        cancelTimer: undefined,
        previous: undefined,
        next: undefined,
      };
      this.#enqueue(tenant, waiting);
    });
  }

  #refusal(
    tenant: string,
    { amounts, price, scope, nowMs }: Asked<D>,
  ): ReserveResult<D> | undefined {
    const tooLarge =
      exceedsBurst(price) || exceedsBurst(this.#tenantPrices.get(tenant).chargeOf(amounts));
    if (tooLarge) return refused('too-large', Infinity);

    // What waits ahead in the lane takes this long even if no one else wanted anything.
    const aheadMs = this.#lanes.get(tenant)?.refillMs ?? 0;
    if (this.#waiting >= this.#options.maxWaiting) {
      return refused('queue-full', this.#queuedRefillMs);
    }
    return aheadMs > 0 && !fitsDeadline(scope.deadlineAtMs, aheadMs, nowMs)
      ? refused('deadline', aheadMs)
      : undefined;
  }

  #enqueue(tenant: string, waiting: Waiting<D>): void {
    const lane = this.#lane(tenant);
    lane.waiting.push(waiting);
    lane.next ??= waiting;
    lane.refillMs += waiting.refillMs;
    this.#queuedRefillMs += waiting.refillMs;
    this.#waiting++;
    waiting.scope.signal.addEventListener('abort', waiting.quit);
    this.#drive(lane);
    if (!waiting.asked) this.#watch(waiting);
  }

  #lane(tenant: string): Lane<D> {
    const known = this.#lanes.get(tenant);
    if (known) return known;
    const lane: Lane<D> = newLane(tenant);
    this.#lanes.set(tenant, lane);
    return lane;
  }

  /** One that waits leaves when its time is up. */
  #watch(waiting: Waiting<D>): void {
    waiting.cancelTimer = this.#clock.after(this.#leftMs(waiting), () => {
      this.#leave(waiting, () => waiting.resolve(refused('deadline', waiting.refillMs)));
    });
  }

  #unwatch(waiting: Waiting<D>): void {
    waiting.cancelTimer?.();
    waiting.cancelTimer = undefined;
  }

  #drive(lane: Lane<D>): void {
    if (lane.pausing) return;
    while (lane.next && lane.asking < lane.width) {
      const head = lane.next;
      lane.next = head.next;
      this.#ask(lane, head);
    }
    const idle = lane.asking === 0 && !lane.waiting.first;
    // An idle lane is kept for the next of its tenant, unless there are many.
    if (idle && this.#lanes.size > MAX_IDLE_LANES) this.#lanes.delete(lane.tenant);
  }

  /** A question is bounded by itself, and its answer decides: until it is there, time does not. */
  #ask(lane: Lane<D>, head: Waiting<D>): void {
    head.asked = true;
    this.#unwatch(head);
    lane.asking++;
    this.#options.bucket.ask(head.demand, this.#leftMs(head)).then(
      (answer) => this.#goOn(lane, this.#settleOn(lane, head, answer)),
      (cause: unknown) => {
        const error = cause instanceof Error ? cause : new Error('the bucket failed', { cause });
        this.#leave(head, () => head.reject(error));
        this.#goOn(lane, 0);
      },
    );
  }

  #goOn(lane: Lane<D>, pauseMs: number): void {
    lane.asking--;
    if (pauseMs > 0) this.#pause(lane, pauseMs);
    else this.#drive(lane);
  }

  /** Acts on an answer; returns how long the lane should pause. */
  #settleOn(lane: Lane<D>, head: Waiting<D>, answer: BucketAnswer<D>): number {
    const atOnce = answer.kind === 'granted' && answer.waitMs <= 0;
    lane.width = atOnce ? 2 * lane.width : 1;
    if (!head.queued) {
      if (answer.kind === 'granted') this.#finish(answer.bucket.cancel(head.demand));
      return 0;
    }
    if (answer.kind === 'granted') {
      // The question took so long that the wait after it does not fit any more.
      if (!atOnce && answer.waitMs > this.#leftMs(head)) {
        this.#finish(answer.bucket.cancel(head.demand));
        this.#leave(head, () => head.resolve(refused('deadline', answer.waitMs)));
      } else if (atOnce) this.#leave(head, () => this.#grant(head, answer));
      else this.#leave(head, () => void this.#keep(head, answer));
      return 0;
    }
    if (answer.kind === 'later' && answer.waitMs < this.#leftMs(head)) {
      head.asked = false;
      this.#watch(head);
      return answer.waitMs;
    }
    this.#leave(head, () => head.resolve(refused('deadline', answer.waitMs)));
    return 0;
  }

  #leftMs({ scope }: Waiting<D>): number {
    return remainingMs(scope.deadlineAtMs, this.#clock.nowMs());
  }

  /** Several may come back at once; the first of them says how long, and all are asked for again in their order. */
  #pause(lane: Lane<D>, pauseMs: number): void {
    lane.next = lane.waiting.first;
    while (lane.next?.asked === true) lane.next = lane.next.next;
    if (lane.pausing) return;
    lane.pausing = true;
    void sleep(pauseMs, this.#clock).then(() => {
      lane.pausing = false;
      this.#drive(lane);
    });
  }

  /** The place is taken; its time has still to come. */
  async #keep(head: Waiting<D>, answer: Granted<D>): Promise<void> {
    const { demand, scope, reject } = head;
    this.#waiting++;
    try {
      await sleep(answer.waitMs, this.#clock, scope.signal);
      this.#grant(head, answer);
    } catch {
      this.#finish(answer.bucket.cancel(demand));
      reject(abortError(scope.signal));
    } finally {
      this.#waiting--;
    }
  }

  #grant({ demand, sinceMs, resolve }: Waiting<D>, answer: Granted<D>): void {
    const { grantedAtMicros, untilFullMs, bucket } = answer;
    resolve({
      kind: 'granted',
      reservation: {
        grantedAtMicros,
        source: bucket.source,
        waitedMs: this.#clock.nowMs() - sinceMs,
        ...(untilFullMs && { untilFullMs }),
        ...this.#settlement(demand, bucket),
      },
    });
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
    waiting.scope.signal.removeEventListener('abort', waiting.quit);
    this.#unwatch(waiting);
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
