import { admit, newAdmission, release, type AdmissionSettings } from './core/admission';
import { isOverwhelmed, newLoopGuard, noteDelay } from './core/loop-guard';

export const SHED_REASONS = ['queue', 'event_loop'] as const;

type ShedReason = (typeof SHED_REASONS)[number];

export interface DoorOptions extends AdmissionSettings {
  readonly shedAtLoopDelayMs: number;
  readonly onShed: (reason: ShedReason) => void;
}

type Entry =
  { readonly admitted: true } | { readonly admitted: false; readonly retryAfterMs: number };

const LOOK_MS = 20;

/** Lets messages in while there is hope of answering them in time. Nothing else may delay a refusal. */
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

  /** Whether new work of any kind is turned away. */
  get shedding(): boolean {
    return isOverwhelmed(this.#guard, this.#options.shedAtLoopDelayMs);
  }

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
