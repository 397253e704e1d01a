/** Remembers what was made for each of the last so many keys; what falls out is made again. */
export class BoundedMemo<K, V> {
  readonly #make: (key: K) => V;
  readonly #most: number;
  readonly #made = new Map<K, V>();

  constructor(most: number, make: (key: K) => V) {
    this.#most = most;
    this.#make = make;
  }

  get size(): number {
    return this.#made.size;
  }

  get(key: K): V {
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    if (this.#made.size >= this.#most) this.#forgetOldest();
    const made = this.#make(key);
    this.#made.set(key, made);
    return made;
  }

  #forgetOldest(): void {
    for (const oldest of this.#made.keys()) {
      this.#made.delete(oldest);
      return;
    }
  }
}
