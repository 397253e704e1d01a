/** Adds up the time in which at least one downstream was being waited for. */
export class WaitingTime {
  readonly #nowMs: () => number;
  #waiting = 0;
  #sinceMs = 0;
  #totalMs = 0;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  async during<T>(wait: () => PromiseLike<T>): Promise<T> {
    if (this.#waiting === 0) this.#sinceMs = this.#nowMs();
    this.#waiting += 1;
    try {
      return await wait();
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#totalMs += this.#nowMs() - this.#sinceMs;
    }
  }

  /** Until now. */
  get totalMs(): number {
    return this.#totalMs + (this.#waiting > 0 ? this.#nowMs() - this.#sinceMs : 0);
  }
}
