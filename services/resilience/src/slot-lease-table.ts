import type { Clock } from './core/clock';
import {
  createSlotLeases,
  releaseSlot,
  renewSlot,
  slotsInUse,
  takeSlot,
  type SlotLeases,
} from './core/slot-leases';
import type { Slot } from './bulkhead';
import { systemClock } from './system-clock';

/** Slots without a queue: taken at once or not at all; what is not renewed falls out by itself. */
export class SlotLeaseTable {
  readonly #leases: SlotLeases;
  readonly #clock: Clock;

  constructor(limit: number, leaseMs: number, clock: Clock = systemClock) {
    this.#leases = createSlotLeases(limit, leaseMs);
    this.#clock = clock;
  }

  /** `undefined`: all slots are held. */
  tryTake(): Slot | undefined {
    const slot = takeSlot(this.#leases, this.#clock.nowMs());
    return (
      slot && {
        renew: () => renewSlot(this.#leases, slot, this.#clock.nowMs()),
        release: () => void releaseSlot(this.#leases, slot),
      }
    );
  }

  get inUse(): number {
    return slotsInUse(this.#leases, this.#clock.nowMs());
  }

  /** Leases that ran out instead of being released. */
  get expired(): number {
    return this.#leases.expired;
  }
}
