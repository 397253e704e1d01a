import type { ModelEvent } from '../../core/model-event';
import { ConverseStreamDecoder } from './converse-stream-decoder';
import type { AnswerSink, UpstreamCall } from './upstream-call';

type Batch = readonly ModelEvent[];
type Step = IteratorResult<Batch, undefined>;

/** Bytes decoded but not taken yet, from which on the socket is left unread. */
const MOST_UNREAD_BYTES = 64 * 1_024;

const DONE: Step = { done: true, value: undefined };

/**
 * The events of a stream, in the batches in which they arrived: everything the socket gave in one go is one batch,
 * and so is everything that gathered while the reader was busy.
 */
export class StreamedAnswer implements AnswerSink, AsyncIterableIterator<Batch, undefined> {
  private readonly decoder = new ConverseStreamDecoder();
  private readonly acceptance = Promise.withResolvers<AsyncIterable<Batch>>();
  private call: UpstreamCall | undefined;
  private events: ModelEvent[] = [];
  private unreadBytes = 0;
  private isPaused = false;
  private isWakeDue = false;
  private ending: { readonly error?: unknown } | undefined;
  private reader: PromiseWithResolvers<Step> | undefined;

  constructor(private readonly signal: AbortSignal) {}

  /** Resolves when the upstream has accepted the call. */
  get accepted(): Promise<AsyncIterable<Batch>> {
    return this.acceptance.promise;
  }

  /** The call whose answer this is: reading slowly pauses it, leaving early ends it. */
  attach(call: UpstreamCall): void {
    this.call = call;
  }

  accept(): void {
    this.acceptance.resolve(this);
  }

  data(chunk: Buffer): void {
    this.unreadBytes += chunk.length;
    this.decoder.read(chunk, this.events);
    this.wakeSoon();
    if (this.unreadBytes > MOST_UNREAD_BYTES) {
      this.isPaused = true;
      this.call?.pause();
    }
  }

  end(): void {
    this.decoder.end();
    this.ending = {};
    this.wakeSoon();
  }

  fail(error: unknown): void {
    this.acceptance.reject(error);
    this.ending = { error };
    // What came before a fault is still true; whoever aborted wants nothing more.
    if (this.signal.aborted) this.events = [];
    this.wakeSoon();
  }

  next(): Promise<Step> {
    if (this.reader) return Promise.reject(new Error('The next batch is awaited already.'));
    if (this.events.length > 0) return Promise.resolve(this.takeBatch());
    if (this.ending) return this.takeEnding();
    this.reader = Promise.withResolvers();
    return this.reader.promise;
  }

  return(): Promise<Step> {
    this.call?.leave();
    this.ending = {};
    this.events = [];
    this.wakeSoon();
    return Promise.resolve(DONE);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private takeBatch(): Step {
    const batch = this.events;
    this.events = [];
    this.unreadBytes = 0;
    if (this.isPaused) {
      this.isPaused = false;
      this.call?.resume();
    }
    return { done: false, value: batch };
  }

  /** An error is told once; after it, as after the end, there is nothing. */
  private takeEnding(): Promise<Step> {
    const { ending } = this;
    this.ending = {};
    if (ending && 'error' in ending) return rejected(ending.error);
    return Promise.resolve(DONE);
  }

  // A burst reaches us in several calls of one turn: the reader is woken after the last of them.
  private wakeSoon(): void {
    if (!this.reader || this.isWakeDue) return;
    this.isWakeDue = true;
    queueMicrotask(this.wake);
  }

  private readonly wake = (): void => {
    this.isWakeDue = false;
    const { reader } = this;
    if (!reader || (this.events.length === 0 && !this.ending)) return;
    this.reader = undefined;
    reader.resolve(this.events.length > 0 ? this.takeBatch() : this.takeEnding());
  };
}

/** Rejects with a signal's reason too, which need not be an error. */
function rejected(reason: unknown): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  reject(reason);
  return promise;
}
