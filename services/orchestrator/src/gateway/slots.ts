import {
  Bulkhead,
  DeadlineExceededError,
  PoolExhaustedError,
  remainingMs,
  type BulkheadView,
  type Clock,
  type Scope,
  type Slot,
} from '@matsuri/resilience';
import type { PlatformConfiguration } from '@matsuri/contract';
import { expectedSlotWaitMs, noteSlotHold, type SlotHolds } from './core/slot-wait';

/** A slot in hand, or when to come back. */
type SlotResult =
  | { readonly kind: 'held'; readonly slot: Slot }
  | { readonly kind: 'refused'; readonly waitMs: number };

/** The calls a task runs at once, and those that wait to be run. */
export interface Slots {
  /** Waits only if a slot can be expected in time; rejects with the scope's reason when the caller leaves. */
  take(scope: Scope): Promise<SlotResult>;
  /** When a slot can be expected by the next to ask. */
  expectedWaitMs(): number;
  /** How long a slot is held, lately; `undefined`: none has come back yet. */
  meanHeldMs(): number | undefined;
  view(): BulkheadView;
}

export function createSlots(gateway: PlatformConfiguration['gateway'], clock: Clock): Slots {
  const holds: SlotHolds = { meanMs: undefined };
  const bulkhead = new Bulkhead({
    name: 'bedrock slots',
    settings: {
      maxConcurrent: gateway.slotsPerTask,
      maxQueued: gateway.inFlightPerTask - gateway.slotsPerTask,
      leaseMs: gateway.slotLeaseSeconds * 1_000,
    },
    clock,
  });

  const expectedWaitMs = (): number => {
    const { waiting, inUse } = bulkhead.view();
    if (inUse < gateway.slotsPerTask) return 0;
    return expectedSlotWaitMs(holds, { waiting, slots: gateway.slotsPerTask });
  };

  const timed = (slot: Slot): Slot => {
    const sinceMs = clock.nowMs();
    let released = false;
    return {
      renew: () => slot.renew(),
      release() {
        if (released) return;
        released = true;
        noteSlotHold(holds, clock.nowMs() - sinceMs);
        slot.release();
      },
    };
  };

  return {
    expectedWaitMs,
    meanHeldMs: () => holds.meanMs,
    view: () => bulkhead.view(),
    async take(scope) {
      const waitMs = expectedWaitMs();
      if (waitMs > remainingMs(scope.deadlineAtMs, clock.nowMs()))
        return { kind: 'refused', waitMs };
      try {
        return { kind: 'held', slot: timed(await bulkhead.acquire(scope)) };
      } catch (error) {
        const outOfTime =
          error instanceof PoolExhaustedError || error instanceof DeadlineExceededError;
        if (!outOfTime) throw error;
        return { kind: 'refused', waitMs: expectedWaitMs() };
      }
    },
  };
}
