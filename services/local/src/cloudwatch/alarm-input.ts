import { z } from 'zod';

import { AwsError } from '../wire/aws-error';
import type { AlarmDefinition } from './core/alarm';
import type { MetricQuery } from './core/metric-query';
import { dimensions, metricDataQuery, period, statistic, toQuery } from './metric-input';

const arns = z.array(z.string()).max(5).default([]);

const alarmState = z.enum(['OK', 'ALARM', 'INSUFFICIENT_DATA']);

export const putMetricAlarm = z.object({
  AlarmName: z.string().min(1).max(255),
  AlarmDescription: z.string().optional(),
  ActionsEnabled: z.boolean().default(true),
  OKActions: arns,
  AlarmActions: arns,
  InsufficientDataActions: arns,
  Namespace: z.string().optional(),
  MetricName: z.string().optional(),
  Statistic: statistic.optional(),
  ExtendedStatistic: statistic.optional(),
  Dimensions: dimensions,
  Period: period.optional(),
  Metrics: z.array(metricDataQuery).optional(),
  EvaluationPeriods: z.number().int().positive(),
  DatapointsToAlarm: z.number().int().positive().optional(),
  Threshold: z.number(),
  ComparisonOperator: z.enum([
    'GreaterThanThreshold',
    'GreaterThanOrEqualToThreshold',
    'LessThanThreshold',
    'LessThanOrEqualToThreshold',
  ]),
  TreatMissingData: z.enum(['missing', 'ignore', 'breaching', 'notBreaching']).default('missing'),
});

export type AlarmInput = z.output<typeof putMetricAlarm>;

export const describeAlarms = z.object({
  AlarmNames: z.array(z.string()).optional(),
  AlarmNamePrefix: z.string().optional(),
  ActionPrefix: z.string().optional(),
  StateValue: alarmState.optional(),
  MaxRecords: z.number().int().min(1).max(100).default(50),
  NextToken: z.string().optional(),
});

export const deleteAlarms = z.object({ AlarmNames: z.array(z.string()).max(100) });

export const setAlarmState = z.object({
  AlarmName: z.string(),
  StateValue: alarmState,
  StateReason: z.string(),
});

export function toDefinition(input: AlarmInput): AlarmDefinition {
  const queries = input.Metrics?.map(toQuery) ?? [singleMetric(input)];
  assertOneResult(queries);
  return {
    name: input.AlarmName,
    queries,
    periodMs: periodOf(queries),
    comparison: input.ComparisonOperator,
    threshold: input.Threshold,
    evaluationPeriods: input.EvaluationPeriods,
    datapointsToAlarm: input.DatapointsToAlarm ?? input.EvaluationPeriods,
    treatMissingData: input.TreatMissingData,
    actionsEnabled: input.ActionsEnabled,
    actions: {
      OK: input.OKActions,
      ALARM: input.AlarmActions,
      INSUFFICIENT_DATA: input.InsufficientDataActions,
    },
  };
}

function singleMetric(input: AlarmInput): MetricQuery {
  const { Namespace: namespace, MetricName: name, Period: seconds } = input;
  const chosen = input.Statistic ?? input.ExtendedStatistic;
  if (
    namespace === undefined ||
    name === undefined ||
    seconds === undefined ||
    chosen === undefined
  ) {
    throw new AwsError(
      'ValidationError',
      'An alarm needs Metrics, or Namespace, MetricName, Period and a statistic',
    );
  }
  const metric = { namespace, name, dimensions: input.Dimensions };
  const source = { metric, statistic: chosen, periodMs: seconds * 1_000 };
  return { id: 'm1', source: { kind: 'metric', ...source }, returnData: true };
}

function assertOneResult(queries: readonly MetricQuery[]): void {
  if (queries.filter(({ returnData }) => returnData).length === 1) return;
  throw new AwsError('ValidationError', 'Exactly one element of Metrics must return data');
}

function periodOf(queries: readonly MetricQuery[]): number {
  const periods = queries.flatMap(({ source }) => source.periodMs ?? []);
  if (periods.length === 0) throw new AwsError('ValidationError', 'No metric gives a period');
  return Math.max(...periods);
}
