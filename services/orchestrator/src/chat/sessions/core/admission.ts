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

/** What a task has to do. */
export interface Workload {
  /** Messages and calls taken in and not ended. */
  readonly inHand: number;
  /** Those turned away before who are still to come back. */
  readonly outside: number;
  /** How long a slot is held; `undefined`: none has been yet. */
  readonly meanHeldMs: number | undefined;
}

export type Entry = { readonly admitted: true } | Refusal;

export interface Refusal {
  readonly admitted: false;
  /** What there is too little of: slots, or time of the event loop. */
  readonly reason: 'queue' | 'event_loop';
  readonly retryAfterMs: number;
}

const TYPICAL_ANSWER_MS = 2_000;
const SOONEST_MS = 1_000;
/** Whoever is told more than a reporting period finds everything changed by then. */
const LATEST_MS = 10_000;

/** How many messages may be in hand: one for every slot, and those that get a slot while they are willing to wait. */
export function capacity(
  { meanHeldMs = TYPICAL_ANSWER_MS }: Pick<Workload, 'meanHeldMs'>,
  { slots, maxInHand, maxQueueMs }: AdmissionSettings,
): number {
  const queue = Math.floor((slots * maxQueueMs) / Math.max(1, meanHeldMs));
  return Math.min(maxInHand, slots + queue);
}

/**
 * Lets a message in, or says when there will be room for it.
 *
 * @param share of the capacity that may be used now
 */
export function admit(work: Workload, settings: AdmissionSettings, share = 1): Entry {
  const room = capacity(work, settings);
  if (work.inHand < Math.max(1, share * room)) return { admitted: true };
  const reason = work.inHand < room ? 'event_loop' : 'queue';
  return { admitted: false, reason, retryAfterMs: roomInMs(work, settings, share) };
}

/**
 * Lets a call in that is no message, or says when there will be time for it. Slots have a queue of their own for these:
 * only the event loop is asked.
 */
export function admitCall(work: Workload, settings: AdmissionSettings, share: number): Entry {
  if (share === 1 || work.inHand < share * settings.maxInHand) return { admitted: true };
  const retryAfterMs = roomInMs(work, settings, share);
  return { admitted: false, reason: 'event_loop', retryAfterMs };
}

/** Slots come free one after the other, and those outside come first. */
function roomInMs(
  { outside, meanHeldMs = TYPICAL_ANSWER_MS }: Workload,
  { slots }: AdmissionSettings,
  share: number,
): number {
  const turnMs = ((outside + 1) * meanHeldMs) / (slots * share);
  return Math.ceil(Math.min(LATEST_MS, Math.max(SOONEST_MS, turnMs)));
}
