import { Redis } from 'ioredis';

/**
 * Sends the commands of one turn of the event loop in one write. Under load a turn serves many calls, and a write costs
 * more than the command in it; alone, a command leaves at the end of the turn it was given in, as it would anyway.
 */
export class GatheringRedis extends Redis {
  #gathering = false;
  #lastWords: (() => void)[] = [];

  override sendCommand(...parameters: Parameters<Redis['sendCommand']>): unknown {
    this.#gather();
    return super.sendCommand(...parameters);
  }

  /** Calls back at the end of the turn, while what is sent still joins its write. */
  readonly beforeWrite = (run: () => void): void => {
    this.#lastWords.push(run);
    this.#gather();
  };

  #gather(): void {
    if (this.#gathering) return;
    this.#gathering = true;
    // There may be no connection yet, or none any more: what is sent then fails by itself.
    const stream = this.status === 'ready' ? this.stream : undefined;
    stream?.cork();
    setImmediate(() => {
      const lastWords = this.#lastWords;
      this.#lastWords = [];
      for (const run of lastWords) run();
      this.#gathering = false;
      stream?.uncork();
      if (this.#lastWords.length > 0) this.#gather();
    });
  }
}
