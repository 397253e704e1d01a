import type { ServerResponse } from 'node:http';
import { HEARTBEAT } from '../core/openai/reply/sse';
import type { Exchange, ReplyHeaders } from './exchange';

export interface EventStreamOptions {
  /** A comment is sent after this long without data. */
  readonly heartbeatMs: number;
  /** A reader that takes nothing for this long is given up. */
  readonly slowReaderMs: number;
}

const SSE_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/** A server-sent event stream that never falls silent: its first heartbeat may come before its first event. */
export class EventStream {
  readonly #exchange: Exchange;
  readonly #outgoing: ServerResponse;
  readonly #options: EventStreamOptions;
  #lastWriteAtMs: number;
  #timer: NodeJS.Timeout;
  /** One wait for all that is written meanwhile: who is blocked may be written to a great many times. */
  #room: Promise<void> | undefined;

  constructor(exchange: Exchange, options: EventStreamOptions) {
    this.#exchange = exchange;
    this.#outgoing = exchange.outgoing;
    this.#options = options;
    this.#lastWriteAtMs = exchange.startedAtMs;
    // A body that took its time may have used up the first silence already.
    this.#timer = setTimeout(this.#beat, Math.max(1, options.heartbeatMs - exchange.elapsedMs));
    this.#outgoing.once('close', () => clearTimeout(this.#timer));
  }

  /** Whether the client has been promised a stream already. */
  get begun(): boolean {
    return this.#outgoing.headersSent;
  }

  begin(headers: ReplyHeaders): void {
    if (this.begun) return;
    this.#outgoing.writeHead(200, this.#exchange.headers({ ...SSE_HEADERS, ...headers }));
  }

  /** Resolves when there is room for more; `undefined` when there is already. */
  write(text: string): Promise<void> | undefined {
    this.#lastWriteAtMs = performance.now();
    if (this.#outgoing.write(text)) return undefined;
    this.#room ??= this.#drained();
    return this.#room;
  }

  end(text: string): void {
    clearTimeout(this.#timer);
    this.#outgoing.end(text);
  }

  /** No more heartbeats: what follows is not a stream. */
  cancel(): void {
    clearTimeout(this.#timer);
  }

  async #drained(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const done = (): void => resolve(undefined);
    const timer = setTimeout(() => {
      this.#exchange.leave(new Error('the client reads too slowly'));
      done();
    }, this.#options.slowReaderMs);
    this.#outgoing.once('drain', done).once('close', done);
    await promise;
    clearTimeout(timer);
    this.#outgoing.off('drain', done).off('close', done);
    this.#room = undefined;
  }

  /** One timer for a whole stream: when it goes off, it looks how long the silence really is. */
  readonly #beat = (): void => {
    const { heartbeatMs } = this.#options;
    const leftMs = heartbeatMs - (performance.now() - this.#lastWriteAtMs);
    // A reader with bytes still to take hears enough.
    if (leftMs <= 0 && !this.#outgoing.writableNeedDrain) {
      this.begin({});
      this.#lastWriteAtMs = performance.now();
      this.#outgoing.write(HEARTBEAT);
    }
    this.#timer = setTimeout(this.#beat, leftMs > 0 ? leftMs : heartbeatMs);
  };
}
