import fc from 'fast-check';

import type { Distribution } from './distribution';
import {
  emptyDistribution,
  forget,
  MOST_VALUES,
  observe,
  relativeError,
  valueCounts,
} from './distribution';

const latency = fc.double({ min: 0.1, max: 10_000, noNaN: true });
const anything = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 });

function seen(values: readonly number[]): Distribution {
  const distribution = emptyDistribution();
  for (const value of values) observe(distribution, value);
  return distribution;
}

/** The nearest-rank quantile, of samples and of values with counts. */
function quantile(values: readonly number[], counts: readonly number[], q: number): number {
  const rank = Math.ceil(q * counts.reduce((sum, count) => sum + count, 0));
  let passed = 0;
  for (const [i, value] of values.entries()) {
    passed += counts[i] ?? 0;
    if (passed >= rank) return value;
  }
  throw new RangeError('empty');
}

test('up to 100 different values stay exactly what they were', () => {
  fc.assert(
    fc.property(fc.uniqueArray(anything, { maxLength: MOST_VALUES }), (values) => {
      const twice = valueCounts(seen([...values, ...values]));
      expect([...twice.values]).toEqual([...new Set(values)].sort((a, b) => a - b));
      expect(twice.counts.every((count) => count === 2)).toBe(true);
    }),
  );
});

test('whatever was seen fits into 100 rising values, and every recording is counted', () => {
  fc.assert(
    fc.property(fc.array(anything, { minLength: 1, maxLength: 600 }), (values) => {
      const distribution = seen(values);
      const { values: reported, counts } = valueCounts(distribution);
      expect(reported.length).toBeLessThanOrEqual(MOST_VALUES);
      expect(reported).toEqual([...reported].sort((a, b) => a - b));
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(values.length);
      expect(distribution).toMatchObject({
        count: values.length,
        min: Math.min(...values),
        max: Math.max(...values),
      });
    }),
  );
});

test('p50, p95 and p99 of latencies over five powers of ten are within 6 %', () => {
  fc.assert(
    fc.property(fc.array(latency, { minLength: 150, maxLength: 1_000 }), (values) => {
      const { values: reported, counts } = valueCounts(seen(values));
      const sorted = [...values].sort((a, b) => a - b);
      for (const q of [0.5, 0.95, 0.99]) {
        const truth = quantile(
          sorted,
          sorted.map(() => 1),
          q,
        );
        const told = quantile(reported, counts, q);
        expect(Math.abs(told - truth)).toBeLessThanOrEqual(truth * 0.06);
      }
    }),
    { numRuns: 50 },
  );
});

test('the error is half a percent while neighbours need no merging', () => {
  const values = Array.from({ length: 300 }, (_, i) => 100 + i / 4);
  const { values: reported, counts } = valueCounts(seen(values));
  const bound = relativeError(1) + 1e-9;
  expect(bound).toBeLessThan(0.00498);
  for (const q of [0.1, 0.5, 0.9, 0.99]) {
    const truth = quantile(
      values,
      values.map(() => 1),
      q,
    );
    expect(Math.abs(quantile(reported, counts, q) - truth) / truth).toBeLessThanOrEqual(bound);
  }
});

test('a hundred thousand different values take bounded memory', () => {
  const distribution = emptyDistribution();
  for (let i = 1; i <= 100_000; i += 1) observe(distribution, i ** 2 * 1e-5);
  expect(distribution.occurrences.size).toBeLessThan(5_000);
  expect(distribution.count).toBe(100_000);
});

test('a new period starts from nothing', () => {
  const distribution = seen(Array.from({ length: 200 }, (_, i) => i));
  forget(distribution);
  expect(distribution).toEqual(emptyDistribution());
});
