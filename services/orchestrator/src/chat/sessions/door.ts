import type { Gateway } from '../../gateway/gateway';
import {
  admit,
  admitCall,
  type AdmissionSettings,
  type Entry,
  type Refusal,
  type Workload,
} from './core/admission';
import { isOverwhelmed, newLoopGuard, noteDelay } from './core/loop-guard';

export const SHED_REASONS = ['queue', 'event_loop'] as const;

type ShedReason = (typeof SHED_REASONS)[number];

export interface DoorOptions extends AdmissionSettings {
  readonly shedAtLoopDelayMs: number;
  readonly gateway: Pick<Gateway, 'figures' | 'turnedAway'>;
  readonly onShed: (reason: ShedReason) => void;
}

const LOOK_MS = 20;

/** Lets messages in while there is hope of answering them in time. Nothing else may delay a refusal. */
export class Door {
  readonly #options: DoorOptions;
  readonly #guard = newLoopGuard();
  readonly #timer: NodeJS.Timeout;
  #lookedAtMs = performance.now();
  #inHand = 0;

  constructor(options: DoorOptions) {
    this.#options = options;
    this.#timer = setInterval(this.#look, LOOK_MS).unref();
  }

  /** Whether new work of any kind is turned away. */
  get shedding(): boolean {
    return isOverwhelmed(this.#guard, this.#options.shedAtLoopDelayMs);
  }

  enter(): Entry {
    const entry = admit(this.#work(), this.#options, this.#guard.share);
    if (entry.admitted) this.#inHand += 1;
    else this.#shed(entry);
    return entry;
  }

  /** For calls that are no messages; they do not have to leave. */
  enterCall(): Entry {
    const entry = admitCall(this.#work(), this.#options, this.#guard.share);
    if (!entry.admitted) this.#shed(entry);
    return entry;
  }

  /** An answer has ended, or nothing had to be answered after all. */
  leave(): void {
    this.#inHand -= 1;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #work(): Workload {
    const { inFlight, outside, meanHeldMs } = this.#options.gateway.figures();
    // Messages on their way to a model are not in flight there yet; calls of others take slots as well.
    return { inHand: Math.max(this.#inHand, inFlight), outside, meanHeldMs };
  }

  #shed({ reason, retryAfterMs }: Refusal): void {
    this.#options.onShed(reason);
    this.#options.gateway.turnedAway(retryAfterMs);
  }

  readonly #look = (): void => {
    const nowMs = performance.now();
    const delayMs = Math.max(0, nowMs - this.#lookedAtMs - LOOK_MS);
    this.#lookedAtMs = nowMs;
    noteDelay(this.#guard, delayMs, LOOK_MS, this.#options.shedAtLoopDelayMs);
  };
}
