import type { Cancel, Clock, Slot } from '@matsuri/resilience';

/** What is seen of a call from outside. */
export interface Pulse {
  /** Something is awaited that has a limit of its own. */
  readonly busy: boolean;
  /** Grows whenever the reader takes something. */
  readonly steps: number;
}

export interface SlotWatchOptions {
  readonly slot: Slot;
  readonly leaseMs: number;
  readonly clock: Clock;
  readonly pulse: () => Pulse;
  /** The call lost its slot, or whoever held it has shown no life for a lease. */
  readonly onLost: () => void;
}

const BEATS_PER_LEASE = 3;

/** Keeps a slot's lease while its call shows life. A call that was forgotten is not kept, and so heals. */
export function watchSlot({ slot, leaseMs, clock, pulse, onLost }: SlotWatchOptions): Cancel {
  const everyMs = leaseMs / BEATS_PER_LEASE;
  let idleBeats = 0;
  let steps = -1;
  let cancel: Cancel;

  const beat = (): void => {
    const seen = pulse();
    idleBeats = seen.busy || seen.steps !== steps ? 0 : idleBeats + 1;
    steps = seen.steps;
    const kept = idleBeats === 0 ? slot.renew() : idleBeats < BEATS_PER_LEASE;
    if (kept) cancel = clock.after(everyMs, beat);
    else onLost();
  };

  cancel = clock.after(everyMs, beat);
  return () => cancel();
}
