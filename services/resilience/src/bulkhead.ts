import {
  createBulkhead,
  enter,
  grantWaiting,
  joinQueue,
  leave,
  leaveQueue,
  nextExpiryAtMs,
  notePressure,
  viewBulkhead,
  type BulkheadSettings,
  type BulkheadState,
  type BulkheadView,
  type PressureChange,
  type Waiter,
} from './core/bulkhead';
import type { Cancel, Clock } from './core/clock';
import { childDeadline } from './core/deadline';
import { renewSlot, type SlotLease } from './core/slot-leases';
import { abortError } from './abort';
import { PoolExhaustedError } from './errors';
import { UNBOUNDED, type Scope } from './request-scope';
import { systemClock } from './system-clock';
import { DEFAULT_BULKHEAD } from './core/configured';

export interface BulkheadOptions {
  readonly name: string;
  readonly settings: Pick<BulkheadSettings, 'maxConcurrent' | 'maxQueued'> &
    Partial<BulkheadSettings>;
  /** The longest anyone queues, whatever their own deadline. @default the caller's deadline alone */
  readonly maxWaitMs?: number;
  /** Utilisation rose above, or fell back below, the pressure marks. */
  readonly onPressure?: (change: PressureChange, view: BulkheadView) => void;
  readonly clock?: Clock;
}

/** A slot that is held until released or, with leases, until it is not renewed in time. */
export interface Slot {
  /** `false`: the lease ran out and the slot may be in other hands. */
  renew(): boolean;
  /** Idempotent. */
  release(): void;
}

/** Bounded concurrency with a bounded, first-come-first-served queue. */
export class Bulkhead {
  readonly name: string;
  readonly #state: BulkheadState;
  readonly #clock: Clock;
  readonly #maxWaitMs: number;
  readonly #onPressure: BulkheadOptions['onPressure'];
  #cancelExpiry: Cancel | undefined;

  constructor({ name, settings, maxWaitMs, onPressure, clock = systemClock }: BulkheadOptions) {
    this.name = name;
    this.#state = createBulkhead({ ...DEFAULT_BULKHEAD, ...settings });
    this.#clock = clock;
    this.#maxWaitMs = maxWaitMs ?? Infinity;
    this.#onPressure = onPressure;
  }

  /** Runs in a slot, which comes back on every way out. */
  async run<T>(call: () => PromiseLike<T> | T, scope: Scope = UNBOUNDED): Promise<T> {
    const slot = await this.#take(scope);
    try {
      if (scope.signal.aborted) throw abortError(scope.signal);
      return await call();
    } finally {
      this.#release(slot);
    }
  }

  /** Throws PoolExhaustedError, or the abort's reason. The holder must release on every way out. */
  async acquire(scope: Scope = UNBOUNDED): Promise<Slot> {
    const slot = await this.#take(scope);
    if (scope.signal.aborted) {
      this.#release(slot);
      throw abortError(scope.signal);
    }
    return {
      renew: () => renewSlot(this.#state.slots, slot, this.#clock.nowMs()),
      release: () => this.#release(slot),
    };
  }

  view(): BulkheadView {
    return viewBulkhead(this.#state, this.#clock.nowMs());
  }

  #take(scope: Scope): SlotLease | Promise<SlotLease> {
    if (scope.signal.aborted) throw abortError(scope.signal);
    const slot = enter(this.#state, this.#clock.nowMs());
    this.#notePressure();
    return slot ?? this.#queue(scope);
  }

  async #queue(scope: Scope): Promise<SlotLease> {
    const { promise, resolve, reject } = Promise.withResolvers<SlotLease>();
    const waiter: Waiter = { grant: resolve, queued: false, previous: undefined, next: undefined };
    if (!joinQueue(this.#state, waiter)) throw new PoolExhaustedError(this.name, 'queue-full');

    const quit = (error: Error, timedOut: boolean): void => {
      if (leaveQueue(this.#state, waiter, timedOut)) reject(error);
    };
    const nowMs = this.#clock.nowMs();
    const waitMs = childDeadline(scope.deadlineAtMs, this.#maxWaitMs, nowMs) - nowMs;
    const cancelTimer = this.#clock.after(waitMs, () =>
      quit(new PoolExhaustedError(this.name, 'timeout'), true),
    );
    const onAbort = (): void => quit(abortError(scope.signal), false);
    scope.signal.addEventListener('abort', onAbort);
    this.#watchExpiry();
    try {
      return await promise;
    } finally {
      cancelTimer();
      scope.signal.removeEventListener('abort', onAbort);
    }
  }

  #release(slot: SlotLease): void {
    leave(this.#state, slot, this.#clock.nowMs());
    this.#notePressure();
  }

  /** Waiters must learn of a slot that expires in silence; nobody else needs a timer. */
  #watchExpiry(): void {
    if (this.#cancelExpiry || this.#state.waiting.size === 0) return;
    const atMs = nextExpiryAtMs(this.#state);
    if (atMs === Infinity) return;
    this.#cancelExpiry = this.#clock.after(Math.max(0, atMs - this.#clock.nowMs()), () => {
      this.#cancelExpiry = undefined;
      grantWaiting(this.#state, this.#clock.nowMs());
      this.#watchExpiry();
    });
  }

  #notePressure(): void {
    const change = notePressure(this.#state);
    if (change) this.#onPressure?.(change, this.view());
  }
}
