import { median, percentile } from './statistics';

const oneToHundred = Float64Array.from({ length: 100 }, (_, index) => index + 1);

test.each([
  [0.5, 50],
  [0.95, 95],
  [0.99, 99],
  [1, 100],
])('the percentile %d of 1..100 is %d', (share, expected) => {
  expect(percentile(oneToHundred, share)).toBe(expected);
});

test('of one value every percentile is that value, of none there is none', () => {
  expect(percentile(Float64Array.of(7), 0.99)).toBe(7);
  expect(percentile(Float64Array.of(), 0.5)).toBeNaN();
});

test.each([
  [[3, 1, 2], 2],
  [[4, 1, 3, 2], 2.5],
  [[5], 5],
])('the median of %j is %d', (values, expected) => {
  expect(median(values)).toBe(expected);
});
