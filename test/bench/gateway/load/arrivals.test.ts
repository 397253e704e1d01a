import { arrivalTimesMs } from './arrivals';
import { seededRandom } from './seeded-random';

test('as many arrivals as rate and time make, each in its own interval', () => {
  const times = arrivalTimesMs(400, 2, seededRandom(1));
  expect(times).toHaveLength(800);
  times.forEach((timeMs, index) => {
    expect(Math.floor(timeMs / 2.5)).toBe(index);
  });
});

test('the same seed gives the same arrivals, another seed others', () => {
  const withSeed = (seed: number) => [...arrivalTimesMs(100, 1, seededRandom(seed))];
  expect(withSeed(3)).toEqual(withSeed(3));
  expect(withSeed(3)).not.toEqual(withSeed(4));
});
