/**
 * Members that are seen to once in so many steps each, whoever comes and goes meanwhile: everybody keeps a step of its
 * own from its arrival on, so that nobody's turn depends on how many others there are.
 */
export class Rota<Member> {
  readonly #steps: readonly Set<Member>[];
  readonly #stepOf = new Map<Member, Set<Member>>();
  #at = 0;

  constructor(steps: number) {
    this.#steps = Array.from({ length: steps }, () => new Set<Member>());
  }

  get size(): number {
    return this.#stepOf.size;
  }

  [Symbol.iterator](): IterableIterator<Member> {
    return this.#stepOf.keys();
  }

  /** Into the emptiest step, so that no step takes long. */
  add(member: Member): void {
    if (this.#stepOf.has(member)) return;
    const step = this.#steps.reduce((least, each) => (each.size < least.size ? each : least));
    step.add(member);
    this.#stepOf.set(member, step);
  }

  /** Whether it was there. */
  delete(member: Member): boolean {
    this.#stepOf.get(member)?.delete(member);
    return this.#stepOf.delete(member);
  }

  /** Whose turn it is. */
  next(): readonly Member[] {
    const step = this.#steps[this.#at] ?? [];
    this.#at = (this.#at + 1) % this.#steps.length;
    return [...step];
  }
}
