/** Counts running work by name, and tells when there is none. */
export class InFlight {
  /** Names are few and stay. */
  readonly #running = new Map<string, number>();
  #total = 0;
  #idle: PromiseWithResolvers<undefined> | undefined;

  get count(): number {
    return this.#total;
  }

  /** Marks work as running; the returned function ends it, once. */
  start(name: string): () => void {
    this.#running.set(name, (this.#running.get(name) ?? 0) + 1);
    this.#total++;
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      this.#end(name);
    };
  }

  async track<T>(name: string, work: () => PromiseLike<T> | T): Promise<T> {
    const end = this.start(name);
    try {
      return await work();
    } finally {
      end();
    }
  }

  /** Resolves when nothing runs, at once if so already. */
  async idle(): Promise<void> {
    if (this.#total === 0) return;
    this.#idle ??= Promise.withResolvers<undefined>();
    await this.#idle.promise;
  }

  /** What runs now, e.g. `["chat stream ×3"]`. */
  left(): readonly string[] {
    return [...this.#running]
      .filter(([, count]) => count > 0)
      .map(([name, count]) => `${name} ×${count}`);
  }

  #end(name: string): void {
    this.#running.set(name, (this.#running.get(name) ?? 0) - 1);
    this.#total--;
    if (this.#total > 0) return;
    this.#idle?.resolve(undefined);
    this.#idle = undefined;
  }
}
