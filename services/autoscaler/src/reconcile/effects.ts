import type { LogFields, Logger } from '@matsuri/telemetry';
import { FencedError, type Term } from '../leadership/leadership';

/** One thing done to the world. */
export interface Effect {
  readonly what: string;
  /** For a person: why this is right. */
  readonly reason: string;
  readonly fields?: LogFields;
  /** Said at debug level: it happens every cycle. */
  readonly routine?: boolean;
  /** Whether it moves capacity, for the ScalingAction metric. */
  readonly moves?: boolean;
  readonly run: () => Promise<void>;
}

/** Does things one by one, each only while the lease is ours; one that fails does not stop the others. */
export class Effects {
  readonly #term: Term;
  readonly #log: Logger;
  #failed = 0;
  #moves = 0;

  constructor(term: Term, log: Logger) {
    this.#term = term;
    this.#log = log;
  }

  get failed(): number {
    return this.#failed;
  }

  /** How many moves of capacity were made. */
  get moves(): number {
    return this.#moves;
  }

  /** True when it was done. A lost lease throws. */
  async attempt({ what, reason, fields, routine, moves, run }: Effect): Promise<boolean> {
    const facts = { ...fields, reason, epoch: this.#term.epoch };
    try {
      await this.#term.confirm();
      await run();
    } catch (err) {
      if (err instanceof FencedError) throw err;
      this.#failed += 1;
      this.#log.error(`could not ${what}, the next cycle tries again`, { ...facts, err });
      return false;
    }
    if (moves === true) this.#moves += 1;
    this.#log[routine === true ? 'debug' : 'info'](what, facts);
    return true;
  }
}
