import type { Clock } from './core/clock';
import { DeadlineExceededError } from './errors';

/** Calls back when everything the event loop has at hand was dealt with, its sockets included. */
export type AfterTurn = (run: () => void) => void;

export const afterTurn: AfterTurn = (run) => void setImmediate(run);

export interface AnswerWatchOptions {
  /** Silence that counts as no answer. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  /** @default the end of the event loop's turn */
  readonly afterTurn?: AfterTurn;
}

interface Question {
  /** Gone when answered: whoever asked is not kept until the next look. */
  giveUp: ((error: Error) => void) | undefined;
  readonly leftAtMs: number;
}

/**
 * Waits for the answers of one peer that answers in order, and gives up when it falls silent. Our own delays are not held
 * against it: time begins anew with every answer (a long queue is slow, not dead), and is up only after the event loop
 * has read its sockets once more. Hand a question over when it leaves, not when somebody thought of it.
 */
export class AnswerWatch {
  readonly #options: AnswerWatchOptions;
  readonly #afterTurn: AfterTurn;
  #open: Question[] = [];
  #answeredAtMs = -Infinity;
  #timing = false;

  constructor(options: AnswerWatchOptions) {
    this.#options = options;
    this.#afterTurn = options.afterTurn ?? afterTurn;
  }

  within<T>(answer: PromiseLike<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const { clock, timeoutMs } = this.#options;
      const question: Question = { giveUp: reject, leftAtMs: clock.nowMs() };
      this.#open.push(question);
      if (!this.#timing) this.#wait(timeoutMs);
      const answered = (): void => {
        question.giveUp = undefined;
        this.#answeredAtMs = clock.nowMs();
      };
      answer.then(
        (value) => {
          answered();
          resolve(value);
        },
        (error: unknown) => {
          answered();
          reject(error instanceof Error ? error : new Error('no answer', { cause: error }));
        },
      );
    });
  }

  /** One timer for all: it looks how long the silence really was. */
  #wait(delayMs: number): void {
    this.#timing = true;
    this.#options.clock.after(delayMs, () => {
      const silentMs = this.#silentMs();
      if (silentMs === undefined) this.#timing = false;
      else if (silentMs < this.#options.timeoutMs) this.#wait(this.#options.timeoutMs - silentMs);
      else this.#afterTurn(this.#judge);
    });
  }

  /** How long the oldest open question has met with silence; `undefined`: none is open. */
  #silentMs(): number | undefined {
    this.#open = this.#open.filter(({ giveUp }) => giveUp !== undefined);
    const [oldest] = this.#open;
    if (!oldest) return undefined;
    return this.#options.clock.nowMs() - Math.max(oldest.leftAtMs, this.#answeredAtMs);
  }

  readonly #judge = (): void => {
    const { timeoutMs } = this.#options;
    const silentMs = this.#silentMs();
    this.#timing = false;
    if (silentMs === undefined) return;
    if (silentMs < timeoutMs) {
      this.#wait(timeoutMs - silentMs);
      return;
    }
    const unanswered = this.#open;
    this.#open = [];
    for (const { giveUp } of unanswered) giveUp?.(new DeadlineExceededError('cap', timeoutMs));
  };
}
