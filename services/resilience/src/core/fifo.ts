/** The links a queued object carries itself, so that joining and leaving allocate nothing. */
export interface Linked<T> {
  previous: T | undefined;
  next: T | undefined;
}

/** First in, first out, with O(1) removal from the middle. A node is in at most one list, once. */
export class Fifo<T extends Linked<T>> {
  #head: T | undefined;
  #tail: T | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get first(): T | undefined {
    return this.#head;
  }

  push(node: T): void {
    node.previous = this.#tail;
    node.next = undefined;
    if (this.#tail) this.#tail.next = node;
    else this.#head = node;
    this.#tail = node;
    this.#size++;
  }

  shift(): T | undefined {
    const node = this.#head;
    if (node) this.remove(node);
    return node;
  }

  remove(node: T): void {
    if (node.previous) node.previous.next = node.next;
    else this.#head = node.next;
    if (node.next) node.next.previous = node.previous;
    else this.#tail = node.previous;
    node.previous = undefined;
    node.next = undefined;
    this.#size--;
  }

  *[Symbol.iterator](): Generator<T> {
    for (let node = this.#head; node; node = node.next) yield node;
  }
}
