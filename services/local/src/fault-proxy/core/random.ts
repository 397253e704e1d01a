/** Numbers from 0 up to, not including, 1. */
export type Random = () => number;

/** The same numbers for the same seed, always (mulberry32). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * A seed for one part of a seeded whole, so that what one connection draws does not depend on how
 * the operating system interleaved it with others.
 */
export function subSeed(seed: number, part: number): number {
  return Math.floor(seededRandom(seed ^ Math.imul(part + 1, 0x9e3779b1))() * 2 ** 32);
}
