/** How long slots are held, as a moving average; `undefined` until one has come back. */
export interface SlotHolds {
  meanMs: number | undefined;
}

// New holds weigh an eighth: quick to follow a change, slow to follow an outlier.
const WEIGHT = 1 / 8;

export function noteSlotHold(holds: SlotHolds, heldMs: number): void {
  holds.meanMs =
    holds.meanMs === undefined ? heldMs : holds.meanMs + WEIGHT * (heldMs - holds.meanMs);
}

/** When the next to join the queue can expect a slot; 0 while nothing is known. */
export function expectedSlotWaitMs(
  holds: SlotHolds,
  queue: { readonly waiting: number; readonly slots: number },
): number {
  return ((queue.waiting + 1) * (holds.meanMs ?? 0)) / queue.slots;
}
