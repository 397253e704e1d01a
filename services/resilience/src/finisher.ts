import { InFlight } from './in-flight';

export interface FinisherOptions {
  readonly maxRunning: number;
  /** Detached work has no caller to throw at. */
  readonly onError: (error: unknown, name: string) => void;
}

/**
 * Work that outlives its request: saving a turn, settling a charge. Bounded, because work without
 * a caller has no back pressure of its own, and tracked, so that a drain can wait for it.
 */
export class Finisher {
  readonly #inFlight = new InFlight();
  readonly #options: FinisherOptions;

  constructor(options: FinisherOptions) {
    this.#options = options;
  }

  get running(): number {
    return this.#inFlight.count;
  }

  /** `false`: too much is running and this was not started; the caller does it itself or lets it go. */
  detach(name: string, work: () => PromiseLike<unknown>): boolean {
    if (this.#inFlight.count >= this.#options.maxRunning) return false;
    this.#inFlight.track(name, work).catch((error: unknown) => this.#options.onError(error, name));
    return true;
  }

  idle(): Promise<void> {
    return this.#inFlight.idle();
  }

  left(): readonly string[] {
    return this.#inFlight.left();
  }
}
