import { seededRandom, subSeed } from './random';

const draws = (seed: number, count: number): number[] => {
  const random = seededRandom(seed);
  return Array.from({ length: count }, random);
};

test('the same seed draws the same numbers', () => {
  expect(draws(7, 100)).toEqual(draws(7, 100));
});

test('another seed draws others', () => {
  expect(draws(7, 100)).not.toEqual(draws(8, 100));
});

test('numbers fill the range from 0 to 1 evenly', () => {
  const tenths = new Array<number>(10).fill(0);
  for (const draw of draws(1, 10_000))
    tenths[Math.floor(draw * 10)] = (tenths[Math.floor(draw * 10)] ?? 0) + 1;
  expect(Math.min(...tenths)).toBeGreaterThan(850);
  expect(Math.max(...tenths)).toBeLessThan(1_150);
});

test('parts of one seed draw apart from each other', () => {
  const seeds = Array.from({ length: 1_000 }, (_, part) => subSeed(1, part));
  expect(new Set(seeds).size).toBe(1_000);
});
