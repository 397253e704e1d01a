import fc from 'fast-check';

import { SPACE_TYPES, vectorOf, vectorScore } from './vector-space';

test.each([
  ['cosinesimil', [1, 0], [5, 0], 1],
  ['cosinesimil', [1, 0], [0, 5], 0.5],
  ['cosinesimil', [1, 0], [-2, 0], 0],
  ['cosinesimil', [1, 0], [0, 0], 0.5],
  ['l2', [1, 2], [1, 2], 1],
  ['l2', [0, 0], [3, 4], 1 / 26],
  ['innerproduct', [1, 2], [3, 4], 12],
  ['innerproduct', [1, 2], [-3, 0], 1 / 4],
] as const)('%s of %j and %j is %d', (space, a, b, expected) => {
  expect(vectorScore(space, vectorOf(a), vectorOf(b))).toBeCloseTo(expected, 12);
});

test.each(SPACE_TYPES)('%s is the same both ways and never negative', (space) => {
  const vector = fc.array(fc.double({ min: -10, max: 10, noNaN: true }), {
    minLength: 4,
    maxLength: 4,
  });
  fc.assert(
    fc.property(vector, vector, (a, b) => {
      const score = vectorScore(space, vectorOf(a), vectorOf(b));
      expect(score).toBe(vectorScore(space, vectorOf(b), vectorOf(a)));
      expect(score).toBeGreaterThanOrEqual(0);
    }),
  );
});
