import type { Answerer, AnswerPart, Question } from '../../ports';

const DONE: AnswerPart = { type: 'done', finish: 'stop', intent: 'faq' };
const CANCELLED: AnswerPart = { type: 'done', finish: 'cancelled', intent: 'faq' };

/** An answer in the hands of a test. */
export interface OpenAnswer {
  readonly question: Question;
  readonly signal: AbortSignal;
  say(...parts: readonly AnswerPart[]): void;
  finish(): void;
}

/** Answers when and what it is told to. */
export class FakeAnswerer implements Answerer {
  readonly answers: OpenAnswer[] = [];
  #waiting: (() => void)[] = [];

  async *answer(question: Question, signal: AbortSignal): AsyncIterable<readonly AnswerPart[]> {
    const queue: AnswerPart[][] = [];
    let wake: () => void = () => undefined;
    const say = (...parts: readonly AnswerPart[]): void => {
      queue.push([...parts]);
      wake();
    };
    this.answers.push({ question, signal, say, finish: () => say(DONE) });
    for (const waiter of this.#waiting.splice(0)) waiter();
    signal.addEventListener('abort', () => say(CANCELLED));
    if (signal.aborted) say(CANCELLED);
    for (;;) {
      const parts = queue.shift();
      if (parts) {
        yield parts;
        if (parts.some(({ type }) => type === 'done' || type === 'error')) return;
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  }

  /** The nth question that was put, as soon as it was. */
  async asked(nth = 0): Promise<OpenAnswer> {
    for (;;) {
      const found = this.answers[nth];
      if (found) return found;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  abandon(): void {
    // Nobody else reads what it says.
  }

  idle(): Promise<void> {
    return Promise.resolve();
  }
}
