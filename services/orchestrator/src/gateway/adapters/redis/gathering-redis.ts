import { Redis } from 'ioredis';

/**
 * Sends the commands of one turn of the event loop in one write. Under load a turn serves many calls, and a write costs
 * more than the command in it; alone, a command leaves at the end of the turn it was given in, as it would anyway.
 */
export class GatheringRedis extends Redis {
  #gathering = false;

  override sendCommand(...parameters: Parameters<Redis['sendCommand']>): unknown {
    const { stream } = this;
    if (!this.#gathering && this.status === 'ready') {
      this.#gathering = true;
      stream.cork();
      setImmediate(() => {
        this.#gathering = false;
        stream.uncork();
      });
    }
    return super.sendCommand(...parameters);
  }
}
