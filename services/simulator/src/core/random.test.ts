import { burstyCount, seededRandom } from './random';

test('the same seed gives the same numbers, another seed others', () => {
  const draw = (seed: number) => Array.from({ length: 5 }, seededRandom(seed));
  expect(draw(7)).toEqual(draw(7));
  expect(draw(7)).not.toEqual(draw(8));
});

test.each([0.3, 5, 45, 80, 1_000])(
  'arrivals at %d a second have the mean asked for and the variance of their burstiness',
  (mean) => {
    const random = seededRandom(7);
    const counts = Array.from({ length: 20_000 }, () => burstyCount(random, mean, 1.3));
    const average = counts.reduce((sum, it) => sum + it, 0) / counts.length;
    const variance = counts.reduce((sum, it) => sum + (it - average) ** 2, 0) / counts.length;
    expect(average / mean).toBeCloseTo(1, 1);
    expect(variance / (1.69 * mean)).toBeCloseTo(1, 0);
  },
);

test('no rate, no arrivals', () => {
  expect(burstyCount(seededRandom(1), 0, 1.3)).toBe(0);
});
