import type { OpenAiError } from '../../gateway/core/openai/refusal/open-ai-error';
import { refusal } from '../../gateway/core/openai/refusal/refusals';
import { EventStream } from '../../gateway/http/event-stream';
import type { Exchange } from '../../gateway/http/exchange';
import type { Refused } from './answers';
import type { Following } from './following';
import type { Reader } from './answer-run';
import type { PlacedFrame } from './core/placed-frame';
import type { SessionWorld } from './session-world';

/** Reads an answer into server-sent events. */
export class EventReader implements Reader {
  readonly #exchange: Exchange;
  readonly #world: SessionWorld;
  readonly #stream: EventStream;

  constructor(exchange: Exchange, world: SessionWorld) {
    const { heartbeatMs } = world.configuration.timeouts;
    this.#exchange = exchange;
    this.#world = world;
    this.#stream = new EventStream(exchange, { heartbeatMs, slowReaderMs: heartbeatMs });
  }

  take(frames: readonly PlacedFrame[]): void {
    if (this.#exchange.outgoing.destroyed) return;
    this.#stream.begin({});
    // Room is not waited for: who lets too much pile up is cut off, and may come back for the rest.
    void this.#stream.write(frames.map(sseEvent).join(''));
    const { writableLength } = this.#exchange.outgoing;
    if (writableLength > this.#world.settings.maxBufferedBytes) {
      this.#exchange.leave(new Error('the client reads too slowly'));
    }
  }

  refuse(refused: Refused): void {
    this.#stream.cancel();
    this.#exchange.sendError(errorOf(refused));
  }

  /** Resolves when the answer is over or the client has gone; the answer then goes on for a while. */
  async follow(following: Following): Promise<void> {
    const { departed } = this.#exchange;
    const stop = (): void => following.stop();
    departed.addEventListener('abort', stop, { once: true });
    if (departed.aborted) stop();
    await following.over;
    departed.removeEventListener('abort', stop);
    if (departed.aborted) return;
    // Who had read everything already is told nothing, in a stream nevertheless.
    this.#stream.begin({});
    this.#stream.end('');
  }
}

function sseEvent({ type, epoch, seq, text }: PlacedFrame): string {
  return `event: ${type}\nid: ${epoch}:${seq}\ndata: ${text}\n\n`;
}

function errorOf({ code, retryAfterMs = 1_000 }: Refused): OpenAiError {
  return refusal(code === 'busy' ? 'session-busy' : 'overloaded', { waitMs: retryAfterMs });
}
