import type { MetricDefinition } from '@matsuri/contract';
import { METRICS } from '@matsuri/contract';
import fc from 'fast-check';

import { emfViolations } from '../../test/emf-specification';
import { newMetricTable, record, takeReadings } from './metric-table';
import { parseEmf } from './parse-emf';
import { renderEmf } from './render-emf';
import type { Reading } from './series';

const options = { namespace: 'Matsuri', timestampMs: 1_760_000_000_000 };

const gauge = (name: string, ...dimensions: string[]): MetricDefinition => ({
  name,
  unit: 'Count',
  dimensions,
  aggregate: 'last',
});

const reading = (
  name: string,
  value: Reading['value'],
  dimensions: Record<string, string> = {},
): Reading => ({
  definition: gauge(name, ...Object.keys(dimensions)),
  dimensionValues: Object.values(dimensions),
  value,
});

test('a document is exactly what CloudWatch reads', () => {
  const [document] = renderEmf([reading('QueueDepth', 7, { Model: 'sonnet' })], {
    ...options,
    properties: { service: 'orchestrator' },
  });
  expect(JSON.parse(document ?? '')).toEqual({
    _aws: {
      Timestamp: 1_760_000_000_000,
      CloudWatchMetrics: [
        {
          Namespace: 'Matsuri',
          Dimensions: [['Model']],
          Metrics: [{ Name: 'QueueDepth', Unit: 'Count', StorageResolution: 1 }],
        },
      ],
    },
    service: 'orchestrator',
    Model: 'sonnet',
    QueueDepth: 7,
  });
});

test('a metric that is read whole is stored without its dimensions as well, and shares no document with one that is not', () => {
  const both = reading('Acquires', 3, { Pool: 'x' });
  const whole = { ...both, definition: { ...both.definition, alsoWhole: true } } as const;
  const documents = renderEmf([whole, reading('Utilisation', 50, { Pool: 'x' })], options);
  expect(
    documents.map((line) => parseEmf(line)?.map(({ name, dimensions }) => [name, dimensions])),
  ).toEqual([
    [
      ['Acquires', { Pool: 'x' }],
      ['Acquires', {}],
    ],
    [['Utilisation', { Pool: 'x' }]],
  ]);
  expect(documents.flatMap(emfViolations)).toEqual([]);
});

test('readings share a document only when they share their dimensions', () => {
  const documents = renderEmf(
    [
      reading('A', 1, { Model: 'x' }),
      reading('B', 2, { Model: 'y' }),
      reading('C', 3, { Model: 'x' }),
      reading('D', 4, { Pool: 'x' }),
      reading('E', 5),
    ],
    options,
  );
  expect(documents.map((line) => parseEmf(line)?.map((point) => point.name))).toEqual([
    ['A', 'C'],
    ['B'],
    ['D'],
    ['E'],
  ]);
});

test('a document names at most 100 metrics', () => {
  const readings = Array.from({ length: 250 }, (_, i) => reading(`M${String(i)}`, i));
  const documents = renderEmf(readings, options);
  expect(documents.map((line) => parseEmf(line)?.length)).toEqual([100, 100, 50]);
});

test('a document fits the line buffer of a log driver', () => {
  const numbers = Array.from({ length: 100 }, (_, i) => 1 / (i + 3));
  const wide = {
    values: numbers,
    counts: numbers.map(() => 1),
    count: 100,
    sum: 1,
    min: 0,
    max: 1,
  };
  const documents = renderEmf(
    Array.from({ length: 40 }, (_, i) => reading(`M${String(i)}`, wide)),
    options,
  );
  expect(Math.max(...documents.map((line) => line.length))).toBeLessThan(16_384);
  expect(documents.flatMap((line) => parseEmf(line))).toHaveLength(40);
});

test('every metric of the platform, recorded at random, is valid and comes back as it was', () => {
  const definitions: readonly MetricDefinition[] = Object.values(METRICS);
  const recording = fc.record({
    definition: fc.constantFrom(...definitions),
    value: fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }),
    dimension: fc.string({ maxLength: 3 }),
  });
  fc.assert(
    fc.property(fc.array(recording, { maxLength: 300 }), (recordings) => {
      const table = newMetricTable({ seriesPerMetric: 20, idlePeriods: 3 });
      for (const { definition, value, dimension } of recordings) {
        const values = Object.fromEntries(definition.dimensions.map((name) => [name, dimension]));
        record(table, definition, value, values);
      }
      const readings = takeReadings(table);
      const lines = renderEmf(readings, options);
      expect(lines.flatMap(emfViolations)).toEqual([]);

      const points = lines.flatMap((line) => parseEmf(line) ?? []);
      const stored = readings.flatMap((each) =>
        each.definition.alsoWhole ? [each, each] : [each],
      );
      expect(points.map(({ name }) => name).sort()).toEqual(
        stored.map((each) => each.definition.name).sort(),
      );
      const sampled = points
        .flatMap(({ samples }) => samples)
        .reduce((sum, { count }) => sum + count, 0);
      expect(sampled).toBe(
        stored.reduce((sum, { value }) => sum + (typeof value === 'number' ? 1 : value.count), 0),
      );
    }),
  );
});

describe('a log line', () => {
  const document = (target: unknown, more: object = {}): string =>
    JSON.stringify({
      _aws: {
        Timestamp: 5,
        CloudWatchMetrics: [
          { Namespace: 'N', Dimensions: [['A'], []], Metrics: [{ Name: 'M' }], ...more },
        ],
      },
      A: 'a',
      M: target,
    });
  const point = {
    namespace: 'N',
    name: 'M',
    unit: 'None',
    storageResolutionSeconds: 60,
    timestampMs: 5,
  };

  test.each([
    ['a number', 4, [[4, 1]]],
    [
      'a list',
      [1, 2],
      [
        [1, 1],
        [2, 1],
      ],
    ],
    [
      'a histogram',
      { Values: [1, 2], Counts: [3, 4], Count: 7 },
      [
        [1, 3],
        [2, 4],
      ],
    ],
  ])('with %s yields one point per dimension set', (_, target, expected) => {
    const samples = expected.map(([value, count]) => ({ value, count }));
    expect(parseEmf(document(target))).toEqual([
      { ...point, dimensions: { A: 'a' }, samples },
      { ...point, dimensions: {}, samples },
    ]);
  });

  test.each([
    ['an ordinary log line', '{"level":"info","msg":"CloudWatchMetrics"}'],
    ['not JSON', 'listening: "CloudWatchMetrics"'],
    ['a list', '["CloudWatchMetrics"]'],
    ['no metadata', '{"CloudWatchMetrics":[]}'],
    ['no time', '{"_aws":{"CloudWatchMetrics":[]}}'],
    ['no directives', '{"_aws":{"Timestamp":1,"CloudWatchMetrics":{}}}'],
    ['cut in half', document(4).slice(0, 60)],
  ])('is not a metric: %s', (_, line) => {
    expect(parseEmf(line)).toBeUndefined();
  });

  test.each([
    ['a text for a value', document('4')],
    ['no value', document(undefined)],
    ['unequal values and counts', document({ Values: [1], Counts: [1, 2] })],
    ['a dimension without value', document(4, { Dimensions: [['B']] })],
    ['no namespace', document(4, { Namespace: 7 })],
    ['no metrics', document(4, { Metrics: 'M' })],
  ])('with %s yields no point', (_, line) => {
    expect(parseEmf(line)).toEqual([]);
  });

  test('never makes the reader throw', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (directives, target) => {
        const line = JSON.stringify({
          _aws: { Timestamp: 1, CloudWatchMetrics: directives },
          M: target,
        });
        expect(() => parseEmf(line)).not.toThrow();
      }),
    );
  });
});
