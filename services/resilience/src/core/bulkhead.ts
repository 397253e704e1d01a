/**
 * Slots plus a bounded queue in front of them, first come first served. Nobody overtakes: while
 * anyone waits, a newcomer queues even if a slot has just come free.
 */
import { Fifo, type Linked } from './fifo';
import {
  createSlotLeases,
  dropExpiredSlots,
  releaseSlot,
  takeSlot,
  type SlotLease,
  type SlotLeases,
} from './slot-leases';

export interface BulkheadSettings {
  readonly maxConcurrent: number;
  readonly maxQueued: number;
  /** A slot neither renewed nor released for this long is taken back; `Infinity` never. */
  readonly leaseMs: number;
  /** Utilisation above which the pool is under pressure. */
  readonly pressureAt: number;
  /** Utilisation at or below which pressure is over; the gap keeps the signal from flapping. */
  readonly relievedAt: number;
}

export interface Waiter extends Linked<Waiter> {
  readonly grant: (slot: SlotLease) => void;
  queued: boolean;
}

interface BulkheadCounters {
  /** Everyone who asked for a slot. */
  acquires: number;
  /** Those who queued and whose deadline passed first. */
  acquireTimeouts: number;
  /** Those turned away because the queue was full. */
  rejections: number;
}

export interface BulkheadState {
  readonly settings: BulkheadSettings;
  readonly slots: SlotLeases;
  readonly waiting: Fifo<Waiter>;
  readonly counters: BulkheadCounters;
  underPressure: boolean;
}

export function createBulkhead(settings: BulkheadSettings): BulkheadState {
  if (!(settings.maxQueued >= 0)) {
    throw new RangeError(`a queue holds 0 or more, got ${settings.maxQueued}`);
  }
  return {
    settings,
    slots: createSlotLeases(settings.maxConcurrent, settings.leaseMs),
    waiting: new Fifo<Waiter>(),
    counters: { acquires: 0, acquireTimeouts: 0, rejections: 0 },
    underPressure: false,
  };
}

/** A slot at once, or `undefined`: all are taken or others were first. */
export function enter(state: BulkheadState, nowMs: number): SlotLease | undefined {
  state.counters.acquires++;
  return state.waiting.size > 0 ? undefined : takeSlot(state.slots, nowMs);
}

/** `false`: the queue is full and the waiter was turned away. */
export function joinQueue(state: BulkheadState, waiter: Waiter): boolean {
  if (state.waiting.size >= state.settings.maxQueued) {
    state.counters.rejections++;
    return false;
  }
  waiter.queued = true;
  state.waiting.push(waiter);
  return true;
}

/** Whether the waiter was still queued. */
export function leaveQueue(state: BulkheadState, waiter: Waiter, timedOut: boolean): boolean {
  if (!waiter.queued) return false;
  waiter.queued = false;
  state.waiting.remove(waiter);
  if (timedOut) state.counters.acquireTimeouts++;
  return true;
}

/** Hands free slots to those who waited longest. */
export function grantWaiting(state: BulkheadState, nowMs: number): void {
  while (state.waiting.first) {
    const slot = takeSlot(state.slots, nowMs);
    if (!slot) return;
    const waiter = state.waiting.first;
    state.waiting.remove(waiter);
    waiter.queued = false;
    waiter.grant(slot);
  }
}

/** Idempotent: a slot comes back once, however many ways out release it. */
export function leave(state: BulkheadState, slot: SlotLease, nowMs: number): void {
  if (releaseSlot(state.slots, slot)) grantWaiting(state, nowMs);
}

/** When the next slot expires by itself; `Infinity` if none does. */
export function nextExpiryAtMs(state: BulkheadState): number {
  return state.slots.held.first?.expiresAtMs ?? Infinity;
}

export type PressureChange = 'pressure' | 'relieved';

/** Reports a crossing once, in either direction. */
export function notePressure(state: BulkheadState): PressureChange | undefined {
  const utilisation = state.slots.held.size / state.slots.limit;
  if (!state.underPressure && utilisation > state.settings.pressureAt) {
    state.underPressure = true;
    return 'pressure';
  }
  if (state.underPressure && utilisation <= state.settings.relievedAt) {
    state.underPressure = false;
    return 'relieved';
  }
  return undefined;
}

export interface BulkheadView extends Readonly<BulkheadCounters> {
  readonly inUse: number;
  readonly waiting: number;
  readonly utilisation: number;
  readonly expiredLeases: number;
  /** Acquire timeouts by acquires since the start: the pool-exhaustion rate. */
  readonly exhaustionRate: number;
}

export function viewBulkhead(state: BulkheadState, nowMs: number): BulkheadView {
  dropExpiredSlots(state.slots, nowMs);
  const { counters, slots } = state;
  return {
    ...counters,
    inUse: slots.held.size,
    waiting: state.waiting.size,
    utilisation: slots.held.size / slots.limit,
    expiredLeases: slots.expired,
    exhaustionRate: counters.acquires === 0 ? 0 : counters.acquireTimeouts / counters.acquires,
  };
}
