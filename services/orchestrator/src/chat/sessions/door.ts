import { admit, newAdmission, release, type AdmissionSettings } from './core/admission';
import { isOverwhelmed, newLoopGuard, noteDelay } from './core/loop-guard';

export const SHED_REASONS = ['queue', 'event_loop', 'connections'] as const;

type ShedReason = (typeof SHED_REASONS)[number];

export interface DoorOptions extends AdmissionSettings {
  readonly shedAtLoopDelayMs: number;
  /** Connections a task has places for. */
  readonly maxConnections: number;
  readonly onShed: (reason: ShedReason) => void;
}

export type Entry =
  { readonly admitted: true } | { readonly admitted: false; readonly retryAfterMs: number };

const LOOK_MS = 20;
const CALM_DOWN_MS = 1_000;
/** Another task may have a place at once; this one, when somebody leaves. */
const FULL_MS = 5_000;

/** Lets in what there is hope of serving in time. Nothing else may delay a refusal. */
export class Door {
  readonly #options: DoorOptions;
  readonly #admission = newAdmission();
  readonly #guard = newLoopGuard();
  readonly #timer: NodeJS.Timeout;
  #lookedAtMs = performance.now();

  constructor(options: DoorOptions) {
    this.#options = options;
    this.#timer = setInterval(this.#look, LOOK_MS).unref();
  }

  /** For what is cheap by itself and leads to more, such as a session. */
  open(): Entry {
    if (!isOverwhelmed(this.#guard, this.#options.shedAtLoopDelayMs)) return { admitted: true };
    this.#options.onShed('event_loop');
    return { admitted: false, retryAfterMs: CALM_DOWN_MS };
  }

  /** For a connection, which takes one of the places there are. */
  connect(taken: number): Entry {
    if (taken < this.#options.maxConnections) return this.open();
    this.#options.onShed('connections');
    return { admitted: false, retryAfterMs: FULL_MS };
  }

  /** For a message. */
  enter(): Entry {
    const { share } = this.#guard;
    const entry = admit(this.#admission, this.#options, share);
    if (!entry.admitted) this.#options.onShed(share < 1 ? 'event_loop' : 'queue');
    return entry;
  }

  /** An answer has ended. */
  leave(tookMs: number): void {
    release(this.#admission, tookMs, this.#options);
  }

  /** Nothing had to be answered after all. */
  turnBack(): void {
    this.#admission.inHand -= 1;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  readonly #look = (): void => {
    const nowMs = performance.now();
    const delayMs = Math.max(0, nowMs - this.#lookedAtMs - LOOK_MS);
    this.#lookedAtMs = nowMs;
    noteDelay(this.#guard, delayMs, LOOK_MS, this.#options.shedAtLoopDelayMs);
  };
}
