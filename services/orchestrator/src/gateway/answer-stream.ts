import { DeadlineExceededError, type Cancel, type Clock } from '@matsuri/resilience';
import type { Attempt } from './attempt';
import { isContent, type ModelEvent } from './core/model-event';
import { countEvents } from './core/usage-count';
import { ModelCallError } from './ports';
import type { Pulse } from './slot-watch';

type Batch = readonly ModelEvent[];

/** What has come of an answer up to its first content, and the rest of it. */
export interface OpenedStream {
  readonly head: Batch;
  readonly rest: AsyncIterator<Batch>;
}

/** Reads up to the first content. What comes before it is kept, and dropped with the attempt if that fails. */
export async function readToContent(
  attempt: Attempt,
  stream: AsyncIterable<Batch>,
): Promise<OpenedStream> {
  const rest = stream[Symbol.asyncIterator]();
  let head: Batch = [];
  for (;;) {
    const result = await rest.next();
    if (result.done === true) {
      // A model may end without a word; one that ends without saying so has broken off.
      if (attempt.count.stopped) return { head, rest };
      throw new ModelCallError('unavailable', 'the stream ended before it said anything');
    }
    const batch = result.value;
    countEvents(attempt.count, batch);
    head = head.length === 0 ? batch : [...head, ...batch];
    if (batch.some(isContent)) return { head, rest };
  }
}

export interface AnswerStreamOptions {
  readonly attempt: Attempt;
  readonly opened: OpenedStream;
  /** The longest silence between two chunks. */
  readonly chunkGapMs: number;
  readonly clock: Clock;
  /** Called once, on every way out. */
  readonly onEnd: () => void;
}

/** The events of an answer from its first content on; ends the attempt on every way out. */
export class AnswerStream implements AsyncIterableIterator<Batch> {
  readonly #attempt: Attempt;
  readonly #rest: AsyncIterator<Batch>;
  readonly #options: AnswerStreamOptions;
  #head: Batch | undefined;
  #readingSinceMs: number | undefined;
  #reads = 0;
  #cancelGap: Cancel;
  #over = false;

  constructor(options: AnswerStreamOptions) {
    this.#options = options;
    this.#attempt = options.attempt;
    this.#head = options.opened.head;
    this.#rest = options.opened.rest;
    this.#cancelGap = options.clock.after(options.chunkGapMs, this.#checkGap);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** The call is over, whether or not anybody reads on to find out. */
  letGo(): void {
    this.#cancelGap();
  }

  get pulse(): Pulse {
    return { busy: this.#readingSinceMs !== undefined, steps: this.#reads };
  }

  async next(): Promise<IteratorResult<Batch>> {
    this.#reads++;
    const head = this.#head;
    if (head) {
      this.#head = undefined;
      return { done: false, value: head };
    }
    if (this.#over) return { done: true, value: undefined };
    this.#readingSinceMs = this.#options.clock.nowMs();
    try {
      const result = await this.#rest.next();
      if (result.done === true) this.#finish();
      else countEvents(this.#attempt.count, result.value);
      return result;
    } catch (error) {
      this.#break(error);
      throw error;
    } finally {
      this.#readingSinceMs = undefined;
    }
  }

  /** The reader wants no more. */
  async return(): Promise<IteratorResult<Batch>> {
    if (!this.#over) {
      this.#attempt.abandon('client-gone', new Error('the reader left'));
      this.#end();
    }
    await this.#rest.return?.().catch(() => undefined);
    return { done: true, value: undefined };
  }

  #finish(): void {
    if (this.#over) return;
    if (this.#attempt.count.stopped) this.#attempt.complete();
    else this.#attempt.fail(new ModelCallError('unavailable', 'the stream broke off'));
    this.#end();
  }

  #break(error: unknown): void {
    if (this.#over) return;
    if (error instanceof DeadlineExceededError) this.#attempt.abandon('timed-out', error);
    else this.#attempt.fail(error);
    this.#end();
  }

  /** One timer for a whole stream: when it goes off, it looks how long the silence really is. */
  readonly #checkGap = (): void => {
    const { chunkGapMs, clock } = this.#options;
    const silentMs = this.#readingSinceMs === undefined ? 0 : clock.nowMs() - this.#readingSinceMs;
    if (silentMs >= chunkGapMs) this.#attempt.abort(new DeadlineExceededError('cap', chunkGapMs));
    else this.#cancelGap = clock.after(chunkGapMs - silentMs, this.#checkGap);
  };

  #end(): void {
    this.#over = true;
    this.#cancelGap();
    this.#options.onEnd();
  }
}
