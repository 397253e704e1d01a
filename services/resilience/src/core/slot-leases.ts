/**
 * A fixed number of slots, each held under a lease. A holder that vanishes without a word loses
 * its slot when the lease runs out, so a leak heals itself; a counter could only be reset by hand.
 * All leases are equally long, so the list in order of renewal is also the list in order of expiry.
 */
import { Fifo, type Linked } from './fifo';

export interface SlotLease extends Linked<SlotLease> {
  /** `Infinity` for slots that never expire. */
  expiresAtMs: number;
  held: boolean;
}

export interface SlotLeases {
  readonly limit: number;
  readonly leaseMs: number;
  readonly held: Fifo<SlotLease>;
  /** Leases that ran out instead of being released: each one is a leak somewhere. */
  expired: number;
}

export function createSlotLeases(limit: number, leaseMs: number): SlotLeases {
  if (!(limit >= 1)) throw new RangeError(`a slot limit is at least 1, got ${limit}`);
  if (!(leaseMs > 0)) throw new RangeError(`a lease lasts longer than 0 ms, got ${leaseMs}`);
  return { limit, leaseMs, held: new Fifo<SlotLease>(), expired: 0 };
}

export function dropExpiredSlots(leases: SlotLeases, nowMs: number): void {
  for (let oldest = leases.held.first; oldest; oldest = leases.held.first) {
    if (oldest.expiresAtMs > nowMs) return;
    oldest.held = false;
    leases.held.remove(oldest);
    leases.expired++;
  }
}

export function slotsInUse(leases: SlotLeases, nowMs: number): number {
  dropExpiredSlots(leases, nowMs);
  return leases.held.size;
}

export function takeSlot(leases: SlotLeases, nowMs: number): SlotLease | undefined {
  dropExpiredSlots(leases, nowMs);
  if (leases.held.size >= leases.limit) return undefined;
  const expiresAtMs = nowMs + leases.leaseMs;
  const slot: SlotLease = { expiresAtMs, held: true, previous: undefined, next: undefined };
  leases.held.push(slot);
  return slot;
}

/** Whether the slot is still the holder's; `false` means it expired and may be someone else's. */
export function renewSlot(leases: SlotLeases, slot: SlotLease, nowMs: number): boolean {
  dropExpiredSlots(leases, nowMs);
  if (!slot.held) return false;
  slot.expiresAtMs = nowMs + leases.leaseMs;
  leases.held.remove(slot);
  leases.held.push(slot);
  return true;
}

/** Whether this call was the one that gave the slot back. */
export function releaseSlot(leases: SlotLeases, slot: SlotLease): boolean {
  if (!slot.held) return false;
  slot.held = false;
  leases.held.remove(slot);
  return true;
}
