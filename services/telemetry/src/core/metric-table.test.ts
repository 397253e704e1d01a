import type { MetricDefinition } from '@matsuri/contract';
import fc from 'fast-check';

import type { DimensionValues, MetricTable } from './metric-table';
import {
  declare,
  newMetricTable,
  OVERFLOW_VALUE,
  record,
  takeProblems,
  takeReadings,
} from './metric-table';

const metric = (
  aggregate: MetricDefinition['aggregate'],
  ...dimensions: string[]
): MetricDefinition => ({ name: `A${aggregate}`, unit: 'Count', dimensions, aggregate });

const table = (): MetricTable => newMetricTable({ seriesPerMetric: 5, idlePeriods: 3 });

const values = (readings: ReturnType<typeof takeReadings>): unknown[] =>
  readings.map((reading) => [...reading.dimensionValues, reading.value]);

test.each([
  ['sum', [1, 2, 3.5], 6.5],
  ['max', [-5, -2, -3], -2],
  ['last', [4, 9, 1], 1],
] as const)('%s of a period', (aggregate, recorded, expected) => {
  const recordings = table();
  for (const value of recorded) record(recordings, metric(aggregate), value, {});
  expect(values(takeReadings(recordings))).toEqual([[expected]]);
});

test('a distribution keeps every value with its count', () => {
  const recordings = table();
  for (const value of [3, 1, 3]) record(recordings, metric('distribution'), value, {});
  expect(takeReadings(recordings)[0]?.value).toEqual({
    values: [1, 3],
    counts: [1, 2],
    count: 3,
    sum: 7,
    min: 1,
    max: 3,
  });
});

test('each set of dimension values is counted by itself', () => {
  const recordings = table();
  const definition = metric('sum', 'Model', 'Region');
  const at = (Model: string, Region: string): DimensionValues => ({ Region, Model });
  record(recordings, definition, 1, at('sonnet', 'tokyo'));
  record(recordings, definition, 2, at('sonnet', 'osaka'));
  record(recordings, definition, 4, at('haiku', 'tokyo'));
  record(recordings, definition, 8, at('sonnet', 'tokyo'));
  expect(values(takeReadings(recordings))).toEqual([
    ['sonnet', 'tokyo', 9],
    ['sonnet', 'osaka', 2],
    ['haiku', 'tokyo', 4],
  ]);
});

test('a period with nothing to say says nothing', () => {
  const recordings = table();
  record(recordings, metric('max'), 1, {});
  takeReadings(recordings);
  expect(takeReadings(recordings)).toEqual([]);
});

test('a declared counter says zero, so that silence means a dead program', () => {
  const recordings = table();
  declare(recordings, metric('sum', 'Model'), { Model: 'sonnet' });
  for (let period = 0; period < 10; period += 1) {
    expect(values(takeReadings(recordings))).toEqual([['sonnet', 0]]);
  }
});

test('dimension sets beyond the limit are counted together, and it is said once per period', () => {
  const recordings = table();
  const definition = metric('sum', 'User');
  for (let user = 0; user < 1_000; user += 1) {
    record(recordings, definition, 1, { User: `user-${String(user)}` });
  }
  const readings = takeReadings(recordings);
  expect(readings).toHaveLength(6);
  expect(values(readings).at(-1)).toEqual([OVERFLOW_VALUE, 995]);
  expect(takeProblems(recordings)).toEqual([{ kind: 'too-many-series', metric: 'Asum' }]);
  expect(takeProblems(recordings)).toEqual([]);
});

test('nothing recorded is lost, whatever the dimensions', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 3 })), (users) => {
      const recordings = table();
      for (const User of users) record(recordings, metric('sum', 'User'), 1, { User });
      const total = takeReadings(recordings).reduce((sum, { value }) => sum + Number(value), 0);
      expect(total).toBe(users.length);
    }),
  );
});

test('a series long idle makes room for another', () => {
  const recordings = table();
  const definition = metric('sum', 'User');
  for (let user = 0; user < 5; user += 1) record(recordings, definition, 1, { User: String(user) });
  for (let period = 0; period < 4; period += 1) {
    record(recordings, definition, 1, { User: '0' });
    takeReadings(recordings);
  }
  record(recordings, definition, 1, { User: 'new' });
  record(recordings, definition, 1, { User: '0' });
  expect(values(takeReadings(recordings))).toEqual([
    ['0', 1],
    ['new', 1],
  ]);
});

test.each([
  ['empty', ''],
  ['blank', '   '],
  ['beginning with a colon', ':x'],
  ['not ASCII', '漫画'],
  ['a terminal command', '\u001b[31m'],
  ['too long', 'x'.repeat(201)],
  ['a secret', `mts_${'a'.repeat(43)}`],
])('a dimension value CloudWatch would refuse goes to the others: %s', (_, Model) => {
  const recordings = table();
  record(recordings, metric('sum', 'Model'), 1, { Model });
  expect(values(takeReadings(recordings))).toEqual([[OVERFLOW_VALUE, 1]]);
  expect(takeProblems(recordings)).toEqual([{ kind: 'invalid-dimension', metric: 'Asum' }]);
});

test.each([Number.NaN, Infinity, -Infinity, 1e200])(
  '%d is not recorded, and it is said',
  (value) => {
    const recordings = table();
    record(recordings, metric('max'), value, {});
    expect(takeReadings(recordings)).toEqual([]);
    expect(takeProblems(recordings)).toEqual([{ kind: 'invalid-value', metric: 'Amax' }]);
  },
);
