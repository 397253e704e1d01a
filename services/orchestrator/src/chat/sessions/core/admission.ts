/**
 * Decides whether a message is taken in or refused at once. What is taken in finds one of the model's slots within its
 * patience: a longer queue would only let answers come too late for everybody.
 */
export interface AdmissionSettings {
  /** Answers that run at once. */
  readonly slots: number;
  /** Never more than this in hand, however quick answers are. */
  readonly maxInHand: number;
  /** The longest wait for a slot that is worth it. */
  readonly maxQueueMs: number;
}

export interface Admission {
  inHand: number;
  /** How long a slot is held, smoothed; starts from what a chat model typically takes. */
  meanHeldMs: number;
}

const TYPICAL_ANSWER_MS = 2_000;
const SMOOTHING = 0.05;

export function newAdmission(): Admission {
  return { inHand: 0, meanHeldMs: TYPICAL_ANSWER_MS };
}

/** How many messages may be in hand: one for every slot, and those that get a slot while they are willing to wait. */
export function capacity(state: Admission, settings: AdmissionSettings): number {
  const { slots, maxInHand, maxQueueMs } = settings;
  const queue = Math.floor((slots * maxQueueMs) / Math.max(1, state.meanHeldMs));
  return Math.min(maxInHand, slots + queue);
}

/**
 * Takes a message in, or says how long until there is room.
 *
 * @param share of the capacity that may be used now
 */
export function admit(
  state: Admission,
  settings: AdmissionSettings,
  share = 1,
): { readonly admitted: true } | { readonly admitted: false; readonly retryAfterMs: number } {
  if (state.inHand < Math.max(1, share * capacity(state, settings))) {
    state.inHand += 1;
    return { admitted: true };
  }
  return { admitted: false, retryAfterMs: Math.ceil(Math.max(settings.maxQueueMs, 1_000)) };
}

/**
 * An answer has ended. It held a slot for the time it took less the time it waited, which is not known here; under load
 * the two together are at most the patience too long, which errs towards refusing.
 */
export function release(state: Admission, tookMs: number, settings: AdmissionSettings): void {
  const waited = Math.max(0, state.inHand - settings.slots) / settings.slots;
  const heldMs = tookMs / (1 + waited);
  state.inHand = Math.max(0, state.inHand - 1);
  state.meanHeldMs += SMOOTHING * (heldMs - state.meanHeldMs);
}
