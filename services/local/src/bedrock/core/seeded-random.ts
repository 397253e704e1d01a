/** A 32-bit FNV-1a hash over the UTF-16 code units of a text, continuing from `seed`. */
export function hashText(text: string, seed = 0x811c9dc5): number {
  let hash = seed >>> 0;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

/** Numbers that look random and depend on the seed alone. */
export interface SeededRandom {
  /** The next number in [0, 1). */
  next(): number;
  /** The next whole number in [low, high]. */
  between(low: number, high: number): number;
  /** One of the items; the list must not be empty. */
  pick<T>(items: readonly [T, ...T[]]): T;
}

/** A mulberry32 generator. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    between: (low, high) => low + Math.floor(next() * (high - low + 1)),
    pick: (items) => items[Math.floor(next() * items.length)] ?? items[0],
  };
}
