import fc from 'fast-check';

import type { MetricDatum } from './metric';
import { metricStore } from './metric-store';

const HOUR_MS = 3_600_000;
const START = Date.UTC(2026, 10, 26, 12);
const queueDepth = { namespace: 'MangaAssist', name: 'BedrockQueueDepth', dimensions: {} };

function sample(value: number, atMs: number, resolution: 1 | 60 = 1, count = 1): MetricDatum {
  return {
    ...queueDepth,
    timestampMs: atMs,
    storageResolutionSeconds: resolution,
    samples: [{ value, count }],
  };
}

function readings(
  store: ReturnType<typeof metricStore>,
  statistic: string,
  periodMs: number,
  lengthMs = 60_000,
  nowMs = START + HOUR_MS,
): number[] {
  const query = { statistic, periodMs, startMs: START, endMs: START + lengthMs };
  return store.read(queueDepth, query, nowMs).map(({ value }) => value);
}

test('ten-second periods keep high-resolution samples apart', () => {
  const store = metricStore();
  store.put([sample(1, START), sample(5, START + 9_999), sample(7, START + 10_000)], START);

  expect(readings(store, 'Maximum', 10_000)).toEqual([5, 7]);
  expect(readings(store, 'Sum', 60_000)).toEqual([13]);
});

test('a standard-resolution sample belongs to its minute, whatever the period', () => {
  const store = metricStore();
  store.put([sample(3, START + 42_000, 60)], START);

  const query = { statistic: 'Sum', periodMs: 10_000, startMs: START, endMs: START + 60_000 };
  expect(store.read(queueDepth, query, START)).toEqual([{ atMs: START, value: 3 }]);
});

test('a range includes its start and excludes its end', () => {
  const store = metricStore();
  store.put([sample(1, START - 1_000), sample(2, START), sample(4, START + 60_000)], START);

  expect(readings(store, 'Sum', 60_000)).toEqual([2]);
});

test.each([
  ['Sum', 10 * 1 + 100 * 3],
  ['SampleCount', 4],
  ['Average', 310 / 4],
  ['Minimum', 10],
  ['Maximum', 100],
  ['p25', 10],
  ['p26', 100],
  ['p99.9', 100],
])('values with counts give %s = %d', (statistic, expected) => {
  const store = metricStore();
  store.put([sample(10, START), sample(100, START + 1_000, 1, 3)], START);

  expect(readings(store, statistic, 60_000)).toEqual([expected]);
});

test('a statistic set has no percentiles, unless all its samples are equal', () => {
  const spread = metricStore();
  const set = { sum: 6, sampleCount: 3, minimum: 1, maximum: 3 };
  spread.put([{ ...queueDepth, timestampMs: START, samples: set }], START);
  const flat = metricStore();
  const same = { sum: 6, sampleCount: 3, minimum: 2, maximum: 2 };
  flat.put([{ ...queueDepth, timestampMs: START, samples: same }], START);

  expect(readings(spread, 'Average', 60_000)).toEqual([2]);
  expect(readings(spread, 'p50', 60_000)).toEqual([]);
  expect(readings(flat, 'p50', 60_000)).toEqual([2]);
});

test('a sample is invisible until the publication delay has passed', () => {
  const store = metricStore(15_000);
  store.put([sample(1, START)], START);

  expect(readings(store, 'Sum', 60_000, 60_000, START + 14_999)).toEqual([]);
  expect(store.list(START + 14_999)).toEqual([]);
  expect(readings(store, 'Sum', 60_000, 60_000, START + 15_000)).toEqual([1]);
});

test('dimensions name the series in any order', () => {
  const store = metricStore();
  const put = { ...sample(4, START), dimensions: { Model: 'complex', Service: 'chat' } };
  store.put([put], START);
  const asked = { ...queueDepth, dimensions: { Service: 'chat', Model: 'complex' } };
  const query = { statistic: 'Sum', periodMs: 60_000, startMs: START, endMs: START + 60_000 };

  expect(store.read(asked, query, START)).toHaveLength(1);
  expect(store.read(queueDepth, query, START)).toEqual([]);
});

test('after three hours seconds become minutes and nothing is lost', () => {
  const store = metricStore();
  for (let s = 0; s < 120; s += 1) store.put([sample(1, START + s * 1_000)], START + s * 1_000);
  const later = START + 4 * HOUR_MS;
  store.put([sample(1, later)], later);

  expect(readings(store, 'Sum', 1_000, 120_000, later)).toEqual([60, 60]);
});

test('whatever is put, the sum over all periods is the sum of what was put', () => {
  const data = fc.array(
    fc.record({ value: fc.integer({ min: -50, max: 50 }), second: fc.nat({ max: 599 }) }),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(data, fc.constantFrom(1_000, 10_000, 20_000, 30_000, 60_000), (puts, periodMs) => {
      const store = metricStore();
      for (const { value, second } of puts)
        store.put([sample(value, START + second * 1_000)], START);
      const sums = readings(store, 'Sum', periodMs, 600_000);
      expect(sums.reduce((a, b) => a + b, 0)).toBe(puts.reduce((a, { value }) => a + value, 0));
    }),
  );
});
