import type { AnswerSink } from './upstream-call';
import { brokenReply } from './upstream-failure';

/** Far above any answer: 128,000 tokens are less than a megabyte. */
const MOST_ANSWER_BYTES = 16 * 1_024 * 1_024;

/** Collects the body of a reply that is not a stream. */
export class WholeAnswer implements AnswerSink {
  private readonly chunks: Buffer[] = [];
  private bytes = 0;
  private readonly settled = Promise.withResolvers<Buffer>();

  /** The whole body, or why there is none. */
  get body(): Promise<Buffer> {
    return this.settled.promise;
  }

  accept(): void {
    // The body says all there is to say.
  }

  data(chunk: Buffer): void {
    this.bytes += chunk.length;
    if (this.bytes > MOST_ANSWER_BYTES) throw brokenReply('it is too long');
    this.chunks.push(chunk);
  }

  end(): void {
    const [first, ...more] = this.chunks;
    this.settled.resolve(first && more.length === 0 ? first : Buffer.concat(this.chunks));
  }

  fail(error: unknown): void {
    this.settled.reject(error);
  }
}
