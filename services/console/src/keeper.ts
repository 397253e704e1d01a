import { remember } from './memory';
import type { Memory } from './memory';

/** Tokens come much faster than anybody reloads, and each time all of it is written. */
const PAUSE_MS = 250;

/**
 * Keeps what a tab knows: at once, or every so often while an answer grows, and always before the page goes. Text and the
 * place to go on from are kept as one, so that what is a little old leads to neither a gap nor a repeat.
 */
export class Keeper {
  #unwritten: Memory | undefined;
  #timer: number | undefined;

  constructor() {
    addEventListener('pagehide', this.#write);
    // A phone ends a hidden page without another word.
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'hidden') this.#write();
    });
  }

  keep(memory: Memory): void {
    this.#unwritten = memory;
    this.#write();
  }

  keepSoon(memory: Memory): void {
    this.#unwritten = memory;
    this.#timer ??= window.setTimeout(this.#write, PAUSE_MS);
  }

  readonly #write = (): void => {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#unwritten) remember(this.#unwritten);
    this.#unwritten = undefined;
  };
}
