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

export const SHED_REASONS = ['queue', 'event_loop', 'connections'] as const;

type ShedReason = (typeof SHED_REASONS)[number];

export interface DoorOptions extends AdmissionSettings {
  readonly shedAtLoopDelayMs: number;
  /** Connections a task has places for. */
  readonly maxConnections: number;
  readonly gateway: Pick<Gateway, 'figures' | 'turnedAway'>;
  readonly onShed: (reason: ShedReason) => void;
}

/** Whether there is room; where not, when to come back. */
export type Welcome =
  { readonly admitted: true } | { readonly admitted: false; readonly retryAfterMs: number };

const LOOK_MS = 20;
const CALM_DOWN_MS = 1_000;
/** Another task may have a place at once; this one, when somebody leaves. */
const FULL_MS = 5_000;

/** Lets in what there is hope of serving in time. Nothing else may delay a refusal. */
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

  /** For what is cheap by itself and leads to more, such as a session. */
  open(): Welcome {
    if (!isOverwhelmed(this.#guard, this.#options.shedAtLoopDelayMs)) return { admitted: true };
    this.#options.onShed('event_loop');
    return { admitted: false, retryAfterMs: CALM_DOWN_MS };
  }

  /** For a connection, which takes one of the places there are. */
  connect(taken: number): Welcome {
    if (taken < this.#options.maxConnections) return this.open();
    this.#options.onShed('connections');
    return { admitted: false, retryAfterMs: FULL_MS };
  }

  /** For a message. */
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
