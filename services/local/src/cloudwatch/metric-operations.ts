import type { z } from 'zod';

import { AwsError } from '../wire/aws-error';
import { operation } from '../wire/aws-operation';
import type { Operations } from '../wire/aws-operation';
import { pageOf } from '../wire/aws-page';
import type { Clock } from '../clock/clock';
import type { Datapoint, MetricIdentity } from './core/metric';
import { MetricMathError } from './core/metric-math-syntax';
import { answerQueries } from './core/metric-query';
import type { MetricResult } from './core/metric-query';
import { floorTo } from './core/metric-series';
import type { MetricStore } from './core/metric-store';
import {
  getMetricData,
  getMetricStatistics,
  listMetrics,
  putMetricData,
  toData,
  toQuery,
} from './metric-input';

const METRICS_PER_PAGE = 500;

/** The calls that put and read metrics. */
export function metricOperations(store: MetricStore, clock: Clock): Operations {
  return {
    PutMetricData: operation(putMetricData, (input) => {
      store.put(toData(input, clock.nowMs()), clock.nowMs());
    }),

    GetMetricData: operation(getMetricData, (input) => {
      const range = { startMs: input.StartTime, endMs: input.EndTime, alignment: 'epoch' } as const;
      if (range.startMs >= range.endMs) throw backwards();
      const queries = input.MetricDataQueries.map(toQuery);
      const results = explained(() => answerQueries(store, queries, range, clock.nowMs()));
      return { ...resultPage(results, input), Messages: [] };
    }),

    GetMetricStatistics: operation(getMetricStatistics, (input) =>
      statistics(store, input, clock.nowMs()),
    ),

    ListMetrics: operation(listMetrics, (input) => {
      const matching = store.list(clock.nowMs()).filter((metric) => matches(metric, input));
      const page = pageOf(matching, METRICS_PER_PAGE, input.NextToken, 'InvalidNextToken');
      return {
        Metrics: page.items.map((metric) => ({
          Namespace: metric.namespace,
          MetricName: metric.name,
          Dimensions: presentDimensions(metric.dimensions),
        })),
        NextToken: page.nextToken,
      };
    }),
  };
}

export function presentDimensions(
  dimensions: MetricIdentity['dimensions'],
): { Name: string; Value: string }[] {
  return Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value }));
}

/** Runs a computation whose only planned failure is a faulty expression. */
export function explained<Result>(compute: () => Result): Result {
  try {
    return compute();
  } catch (cause) {
    if (cause instanceof MetricMathError) throw new AwsError('ValidationError', cause.message);
    throw cause;
  }
}

/** Every result is named on every page; a page holds so many points of all of them together. */
function resultPage(
  results: readonly MetricResult[],
  input: z.output<typeof getMetricData>,
): Record<string, unknown> {
  const ordered = ({ points }: MetricResult): readonly Datapoint[] =>
    input.ScanBy === 'TimestampAscending' ? points : points.toReversed();
  const all = results.flatMap((result) => ordered(result).map((point) => ({ result, point })));
  const page = pageOf(all, input.MaxDatapoints, input.NextToken, 'InvalidNextToken');
  const last = page.items.at(-1)?.result;
  const isCutHere = page.nextToken !== undefined;
  return {
    MetricDataResults: results.map((result, at) => {
      const points = page.items.filter((it) => it.result === result);
      const comesLater = isCutHere && last !== undefined && at >= results.indexOf(last);
      return {
        Id: result.id,
        Label: result.label,
        Timestamps: points.map(({ point }) => point.atMs / 1_000),
        Values: points.map(({ point }) => point.value),
        StatusCode: comesLater ? 'PartialData' : 'Complete',
      };
    }),
    NextToken: page.nextToken,
  };
}

function statistics(
  store: MetricStore,
  input: z.output<typeof getMetricStatistics>,
  nowMs: number,
): Record<string, unknown> {
  if (input.StartTime >= input.EndTime) throw backwards();
  const metric = {
    namespace: input.Namespace,
    name: input.MetricName,
    dimensions: input.Dimensions,
  };
  const periodMs = input.Period * 1_000;
  const range = { periodMs, startMs: floorTo(input.StartTime, periodMs), endMs: input.EndTime };
  const points = new Map<number, Record<string, unknown>>();
  for (const statistic of [...input.Statistics, ...input.ExtendedStatistics]) {
    for (const { atMs, value } of store.read(metric, { ...range, statistic }, nowMs)) {
      const point = points.get(atMs) ?? { Timestamp: atMs / 1_000, Unit: 'None' };
      points.set(atMs, withStatistic(point, statistic, value));
    }
  }
  return { Label: input.MetricName, Datapoints: [...points.values()] };
}

function withStatistic(
  point: Record<string, unknown>,
  statistic: string,
  value: number,
): Record<string, unknown> {
  if (!statistic.startsWith('p')) return { ...point, [statistic]: value };
  const { ExtendedStatistics: others = {} } = point;
  return { ...point, ExtendedStatistics: { ...Object(others), [statistic]: value } };
}

function matches(metric: MetricIdentity, filter: z.output<typeof listMetrics>): boolean {
  return (
    (filter.Namespace ?? metric.namespace) === metric.namespace &&
    (filter.MetricName ?? metric.name) === metric.name &&
    filter.Dimensions.every(({ Name, Value }) => {
      const actual = metric.dimensions[Name];
      return actual !== undefined && (Value ?? actual) === actual;
    })
  );
}

function backwards(): AwsError {
  return new AwsError('InvalidParameterValueException', 'StartTime must be before EndTime');
}
