import fc from 'fast-check';
import { linearTrend } from './linear-trend';
import { predict, type Predictor, type Series } from './predictor';
import { recentRises } from './recent-rises';

const bounds = { minimumPoints: 6, clampFactor: 2 };

function every10s(values: readonly number[]): Series {
  return { values, timesMs: values.map((_, index) => index * 10_000) };
}

const PREDICTORS: readonly (readonly [string, Predictor])[] = [
  ['linear trend', linearTrend],
  ['recent rises', recentRises],
];

test.each(PREDICTORS)('%s: never negative, never above twice what was seen', (_, predictor) => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0, max: 1e9, noNaN: true }), { minLength: 1, maxLength: 60 }),
      fc.integer({ min: 0, max: 900_000 }),
      (values, aheadMs) => {
        const predicted = predict(predictor, every10s(values), aheadMs, bounds) ?? -1;
        expect(predicted).toBeGreaterThanOrEqual(0);
        expect(predicted).toBeLessThanOrEqual(2 * Math.max(...values));
      },
    ),
  );
});

test.each(PREDICTORS)('%s: fewer than six points predict the current value', (_, predictor) => {
  expect(predict(predictor, every10s([1, 2, 3, 4, 5]), 300_000, bounds)).toBe(5);
  expect(predict(predictor, every10s([]), 300_000, bounds)).toBeUndefined();
});

test.each(PREDICTORS)('%s: what does not move stays', (_, predictor) => {
  expect(predict(predictor, every10s(Array<number>(30).fill(7)), 300_000, bounds)).toBeCloseTo(7);
});

test('a line goes on as a line', () => {
  const line = every10s(Array.from({ length: 30 }, (_, index) => 1_000 + index * 10));
  expect(predict(linearTrend, line, 300_000, bounds)).toBeCloseTo(1_290 + 300);
});

test('a falling line ends at zero', () => {
  const line = every10s(Array.from({ length: 30 }, (_, index) => 290 - index * 10));
  expect(predict(linearTrend, line, 300_000, bounds)).toBe(0);
});

test('a step is not a line', () => {
  const step = every10s(Array.from({ length: 30 }, (_, index) => (index < 15 ? 6_000 : 12_000)));
  expect(predict(linearTrend, step, 300_000, bounds)).toBe(12_000);
});

test('what rises by a hundred a minute is expected to rise by a hundred in the next', () => {
  const ramp = every10s(Array.from({ length: 60 }, (_, index) => 1_000 + (index * 100) / 6));
  const current = ramp.values.at(-1) ?? 0;
  expect(predict(recentRises, ramp, 60_000, bounds)).toBeCloseTo(current + 100, 0);
});

test('noise is covered by its usual height, not by its highest', () => {
  const noisy = Array.from({ length: 60 }, (_, index) => (index % 10 === 0 ? 200 : 100));
  const predicted = predict(recentRises, every10s([...noisy, 100, 100, 100]), 60_000, bounds);
  expect(predicted).toBeLessThan(150);
});
