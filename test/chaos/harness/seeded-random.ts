/** Numbers that look random and depend on the seed alone. */
export interface SeededRandom {
  /** The next number in [0, 1). */
  next(): number;
  /** The next whole number in [low, high]. */
  between(low: number, high: number): number;
  /** Whether something of this probability happens. */
  chance(probability: number): boolean;
  /** One of the items; throws for an empty list. */
  pick<T>(items: readonly T[]): T;
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
    chance: (probability) => next() < probability,
    pick(items) {
      const item = items[Math.floor(next() * items.length)];
      if (item === undefined) throw new RangeError('nothing to pick from');
      return item;
    },
  };
}

/** A seed for a run that was given none; printed, it repeats the run. */
export function freshSeed(): number {
  return Math.floor(Math.random() * 2 ** 31);
}
