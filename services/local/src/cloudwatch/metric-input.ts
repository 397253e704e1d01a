import { z } from 'zod';

import { AwsError } from '../wire/aws-error';
import { isStatistic } from './core/statistic';
import type { MetricDatum, MetricIdentity } from './core/metric';
import type { MetricQuery } from './core/metric-query';

/** Times travel as seconds since the epoch. */
export const timestamp = z.number().transform((seconds) => seconds * 1_000);

const text = z.string().min(1).max(255);

export const dimensions = z
  .array(z.object({ Name: text, Value: z.string().min(1).max(1024) }))
  .max(30)
  .default([])
  .transform((list) => Object.fromEntries(list.map(({ Name, Value }) => [Name, Value])));

const resolution = z.union([z.literal(1), z.literal(60)]).default(60);

const datum = z.object({
  MetricName: text,
  Dimensions: dimensions,
  Timestamp: timestamp.optional(),
  Value: z.number().optional(),
  Values: z.array(z.number()).max(150).optional(),
  Counts: z.array(z.number()).max(150).optional(),
  StatisticValues: z
    .object({
      SampleCount: z.number().positive(),
      Sum: z.number(),
      Minimum: z.number(),
      Maximum: z.number(),
    })
    .optional(),
  Unit: z.string().optional(),
  StorageResolution: resolution,
});

export const putMetricData = z.object({
  Namespace: text,
  MetricData: z.array(datum).max(1000).default([]),
});

/** Seconds: 1, 5, 10, 20, 30 or whole minutes. */
export const period = z
  .number()
  .int()
  .refine((seconds) => [1, 5, 10, 20, 30].includes(seconds) || seconds % 60 === 0, {
    message: 'must be 1, 5, 10, 20, 30 or a multiple of 60',
  })
  .refine((seconds) => seconds > 0);

export const statistic = z
  .string()
  .refine(isStatistic, { message: 'is not a statistic the stand-in computes' });

const metric = z
  .object({ Namespace: text, MetricName: text, Dimensions: dimensions })
  .transform((input): MetricIdentity => ({
    namespace: input.Namespace,
    name: input.MetricName,
    dimensions: input.Dimensions,
  }));

export const metricDataQuery = z
  .object({
    Id: z.string().regex(/^[a-z]\w*$/, 'must start with a lowercase letter'),
    MetricStat: z.object({ Metric: metric, Period: period, Stat: statistic }).optional(),
    Expression: z.string().min(1).max(2048).optional(),
    Period: period.optional(),
    Label: z.string().optional(),
    ReturnData: z.boolean().default(true),
  })
  .refine((query) => (query.MetricStat === undefined) !== (query.Expression === undefined), {
    message: 'needs either MetricStat or Expression',
  });

export type MetricDataQueryInput = z.output<typeof metricDataQuery>;

export const getMetricData = z.object({
  MetricDataQueries: z.array(metricDataQuery).min(1).max(500),
  StartTime: timestamp,
  EndTime: timestamp,
  ScanBy: z.enum(['TimestampAscending', 'TimestampDescending']).default('TimestampDescending'),
  MaxDatapoints: z.number().int().min(1).max(100_800).default(100_800),
  NextToken: z.string().optional(),
});

export const getMetricStatistics = z.object({
  Namespace: text,
  MetricName: text,
  Dimensions: dimensions,
  StartTime: timestamp,
  EndTime: timestamp,
  Period: period,
  Statistics: z.array(statistic).default([]),
  ExtendedStatistics: z.array(statistic).default([]),
});

export const listMetrics = z.object({
  Namespace: z.string().optional(),
  MetricName: z.string().optional(),
  Dimensions: z.array(z.object({ Name: text, Value: z.string().optional() })).default([]),
  NextToken: z.string().optional(),
});

export function toData(input: z.output<typeof putMetricData>, nowMs: number): MetricDatum[] {
  return input.MetricData.map((entry) => {
    assertRecent(entry.Timestamp ?? nowMs, nowMs);
    return {
      namespace: input.Namespace,
      name: entry.MetricName,
      dimensions: entry.Dimensions,
      timestampMs: entry.Timestamp ?? nowMs,
      storageResolutionSeconds: entry.StorageResolution,
      samples: toSamples(entry),
      ...(entry.Unit === undefined ? {} : { unit: entry.Unit }),
    };
  });
}

export function toQuery(input: MetricDataQueryInput): MetricQuery {
  const { Id: id, MetricStat: stat, Expression: expression, Label: label } = input;
  const named = { id, returnData: input.ReturnData, ...(label === undefined ? {} : { label }) };
  if (stat !== undefined) {
    const { Metric, Stat, Period } = stat;
    const source = { metric: Metric, statistic: Stat, periodMs: Period * 1_000 };
    return { ...named, source: { kind: 'metric', ...source } };
  }
  const periodMs = input.Period === undefined ? {} : { periodMs: input.Period * 1_000 };
  return { ...named, source: { kind: 'expression', expression: expression ?? '', ...periodMs } };
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

function assertRecent(timestampMs: number, nowMs: number): void {
  if (timestampMs >= nowMs - 14 * DAY_MS && timestampMs <= nowMs + 2 * HOUR_MS) return;
  throw new AwsError(
    'InvalidParameterValueException',
    'Timestamps must lie between two weeks ago and two hours ahead',
  );
}

function toSamples(entry: z.output<typeof datum>): MetricDatum['samples'] {
  const { Value, Values, Counts, StatisticValues: set } = entry;
  if (set !== undefined) {
    const { Sum, SampleCount, Minimum, Maximum } = set;
    return { sum: Sum, sampleCount: SampleCount, minimum: Minimum, maximum: Maximum };
  }
  if (Values !== undefined) {
    if (Counts !== undefined && Counts.length !== Values.length) {
      throw new AwsError('InvalidParameterValueException', 'Values and Counts differ in length');
    }
    return Values.map((value, i) => ({ value, count: Counts?.[i] ?? 1 }));
  }
  if (Value !== undefined) return [{ value: Value, count: 1 }];
  throw new AwsError(
    'InvalidParameterCombinationException',
    'A datum needs Value, Values or StatisticValues',
  );
}
