import { evaluateMetricMath } from './metric-math';
import type { MathValue, TimeSeries } from './metric-math-value';

const series = (...values: (number | undefined)[]): TimeSeries =>
  new Map(values.flatMap((value, i) => (value === undefined ? [] : [[i, value] as const])));

const METRICS: Record<string, TimeSeries> = {
  m1: series(10, 20, 30),
  m2: series(2, 0, 3),
  gappy: series(1, undefined, 3),
};

function evaluate(expression: string): MathValue {
  return evaluateMetricMath(expression, {
    valueOf: (id) => METRICS[id],
    metrics: () => Object.values(METRICS),
    times: [0, 1, 2],
  });
}

test.each([
  ['m1/m2*5', series(25, undefined, 50)],
  ['m1 + 2 * m2', series(14, 20, 36)],
  ['(m1 + 2) * m2', series(24, 0, 96)],
  ['-m1 ^ 2', series(100, 400, 900)],
  ['m1 - 1 - 1', series(8, 18, 28)],
  ['100 / 10 / 2 * m1', series(50, 100, 150)],
  ['gappy + m1', series(11, undefined, 33)],
  ['FILL(gappy, 0) + m1', series(11, 20, 33)],
  ['FILL(gappy, REPEAT)', series(1, 1, 3)],
  ['FILL(gappy, m1)', series(1, 20, 3)],
  ['SUM([m1, m2])', series(12, 20, 33)],
  ['SUM([m1, gappy])', series(11, 20, 33)],
  ['MAX(METRICS())', series(10, 20, 30)],
  ['AVG([m1, m2])', series(6, 10, 16.5)],
  ['m1 / MAX(m1)', series(10 / 30, 20 / 30, 1)],
  ['m1 - MIN(m1)', series(0, 10, 20)],
  ['IF(m1 > 15, m1, 0)', series(0, 20, 30)],
  ['CEIL(m1 / 7)', series(2, 3, 5)],
])('%s', (expression, expected) => {
  expect(evaluate(expression)).toEqual(expected);
});

test('an aggregate of one series is a number', () => {
  expect(evaluate('SUM(m1)')).toBe(60);
});

test.each([
  ['m1 +', 'did not expect the end'],
  ['m1 $ m2', 'cannot read "$ m2"'],
  ['m9', 'No query has the id "m9"'],
  ['ANOMALY_DETECTION_BAND(m1)', 'ANOMALY_DETECTION_BAND is not supported'],
  ['SUM()', 'SUM needs argument 1'],
  ['(m1', 'did not expect the end'],
])('%s is refused with a reason', (expression, message) => {
  expect(() => evaluate(expression)).toThrow(message);
});
