import fc from 'fast-check';

import { COMBINATIONS, combineScores, normalizeScores } from './score-combination';

const scores = fc.array(fc.double({ min: 0.001, max: 1_000, noNaN: true }), { minLength: 1 });

test('min-max spreads scores over (0, 1], the best at 1, in their order but for a thousandth', () => {
  fc.assert(
    fc.property(scores, (raw) => {
      const normal = normalizeScores('min_max', raw);
      expect(Math.max(...normal)).toBe(1);
      expect(Math.min(...normal)).toBeGreaterThan(0);
      raw.forEach((score, i) => {
        raw.forEach((other, j) => {
          if (score > other) expect(normal[i]).toBeGreaterThanOrEqual((normal[j] ?? NaN) - 0.001);
        });
      });
    }),
  );
});

test.each([
  ['min_max', [4, 3, 2], [1, 0.5, 0.001]],
  ['min_max', [7], [1]],
  ['min_max', [2, 2], [1, 1]],
  ['min_max', [], []],
  ['l2', [3, 4], [0.6, 0.8]],
] as const)('%s of %j is %j', (technique, raw, expected) => {
  expect(normalizeScores(technique, raw)).toEqual(expected);
});

test.each([
  ['arithmetic_mean', [1, 0.5], [0.4, 0.6], 0.7],
  ['arithmetic_mean', [1, 0], [0.4, 0.6], 0.4],
  ['geometric_mean', [0.25, 1], [0.5, 0.5], 0.5],
  ['geometric_mean', [0.25, 0], [0.5, 0.5], 0.25],
  ['harmonic_mean', [0.5, 1], [0.5, 0.5], 2 / 3],
  ['harmonic_mean', [0, 0], [0.5, 0.5], 0],
] as const)('%s of %j weighed %j is %d', (technique, found, weights, expected) => {
  expect(combineScores(technique, found, weights)).toBeCloseTo(expected, 12);
});

test.each(COMBINATIONS)('the %s lies between the lowest and the highest', (technique) => {
  const pairs = fc.array(
    fc.tuple(
      fc.double({ min: 0.001, max: 1, noNaN: true }),
      fc.double({ min: 0.01, max: 1, noNaN: true }),
    ),
    { minLength: 1, maxLength: 5 },
  );
  fc.assert(
    fc.property(pairs, (weighed) => {
      const found = weighed.map(([score]) => score);
      const weights = weighed.map(([, weight]) => weight);
      const combined = combineScores(technique, found, weights);
      expect(combined).toBeGreaterThanOrEqual(Math.min(...found) - 1e-9);
      expect(combined).toBeLessThanOrEqual(Math.max(...found) + 1e-9);
    }),
  );
});
