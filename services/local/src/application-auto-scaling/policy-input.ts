import { z } from 'zod';

import { dimensions } from '../cloudwatch/metric-input';
import type { MetricQuery } from '../cloudwatch/core/metric-query';
import { AwsError } from '../wire/aws-error';
import type { ScalingRule } from './core/scaling-decision';

const seconds = z.number().min(0);

export const stepConfiguration = z.object({
  AdjustmentType: z.enum(['ChangeInCapacity', 'ExactCapacity', 'PercentChangeInCapacity']),
  StepAdjustments: z
    .array(
      z.object({
        MetricIntervalLowerBound: z.number().optional(),
        MetricIntervalUpperBound: z.number().optional(),
        ScalingAdjustment: z.number().int(),
      }),
    )
    .min(1)
    .max(20),
  MinAdjustmentMagnitude: z.number().int().optional(),
  Cooldown: seconds.optional(),
  MetricAggregationType: z.enum(['Average', 'Minimum', 'Maximum']).optional(),
});

const plainStatistic = z.enum(['Average', 'Minimum', 'Maximum', 'SampleCount', 'Sum']);

export const trackingConfiguration = z.object({
  TargetValue: z.number().positive(),
  ScaleOutCooldown: seconds.optional(),
  ScaleInCooldown: seconds.optional(),
  DisableScaleIn: z.boolean().default(false),
  PredefinedMetricSpecification: z
    .object({ PredefinedMetricType: z.string(), ResourceLabel: z.string().optional() })
    .optional(),
  CustomizedMetricSpecification: z
    .object({
      MetricName: z.string().optional(),
      Namespace: z.string().optional(),
      Dimensions: dimensions,
      Statistic: plainStatistic.optional(),
      Metrics: z
        .array(
          z.object({
            Id: z.string(),
            Expression: z.string().optional(),
            Label: z.string().optional(),
            ReturnData: z.boolean().default(true),
            MetricStat: z
              .object({
                Metric: z.object({
                  MetricName: z.string(),
                  Namespace: z.string(),
                  Dimensions: dimensions,
                }),
                Stat: z.string(),
              })
              .optional(),
          }),
        )
        .optional(),
    })
    .optional(),
});

type StepConfiguration = z.output<typeof stepConfiguration>;
type TrackingConfiguration = z.output<typeof trackingConfiguration>;

// ECS services cool down for five minutes when a policy does not say otherwise.
const DEFAULT_COOLDOWN_SECONDS = 300;
const PERIOD_MS = 60_000;

export function toStepRule(input: StepConfiguration): ScalingRule {
  return {
    kind: 'step',
    adjustmentType: input.AdjustmentType,
    steps: input.StepAdjustments.map((step) => ({
      adjustment: step.ScalingAdjustment,
      ...(step.MetricIntervalLowerBound === undefined
        ? {}
        : { lowerBound: step.MetricIntervalLowerBound }),
      ...(step.MetricIntervalUpperBound === undefined
        ? {}
        : { upperBound: step.MetricIntervalUpperBound }),
    })),
    cooldownMs: (input.Cooldown ?? DEFAULT_COOLDOWN_SECONDS) * 1_000,
    ...(input.MinAdjustmentMagnitude === undefined
      ? {}
      : { minAdjustmentMagnitude: input.MinAdjustmentMagnitude }),
  };
}

export function toTrackingRule(input: TrackingConfiguration): ScalingRule {
  return {
    kind: 'target-tracking',
    targetValue: input.TargetValue,
    scaleOutCooldownMs: (input.ScaleOutCooldown ?? DEFAULT_COOLDOWN_SECONDS) * 1_000,
    scaleInCooldownMs: (input.ScaleInCooldown ?? DEFAULT_COOLDOWN_SECONDS) * 1_000,
  };
}

/** The metric a policy tracks, as queries of one-minute periods. */
export function toQueries(input: TrackingConfiguration, resourceId: string): MetricQuery[] {
  const predefined = input.PredefinedMetricSpecification;
  if (predefined !== undefined) {
    return [predefinedQuery(predefined.PredefinedMetricType, predefined.ResourceLabel, resourceId)];
  }
  const custom = input.CustomizedMetricSpecification;
  if (custom?.Metrics !== undefined) return custom.Metrics.map(mathQuery);
  if (
    custom?.Namespace !== undefined &&
    custom.MetricName !== undefined &&
    custom.Statistic !== undefined
  ) {
    const metric = {
      namespace: custom.Namespace,
      name: custom.MetricName,
      dimensions: custom.Dimensions,
    };
    return [metricQuery(metric, custom.Statistic)];
  }
  throw new AwsError('ValidationException', 'The policy does not say which metric it tracks');
}

type CustomMetric = NonNullable<
  NonNullable<TrackingConfiguration['CustomizedMetricSpecification']>['Metrics']
>[number];

function mathQuery(query: CustomMetric): MetricQuery {
  const named = {
    id: query.Id,
    returnData: query.ReturnData,
    ...(query.Label === undefined ? {} : { label: query.Label }),
  };
  if (query.MetricStat === undefined) {
    const expression = query.Expression ?? '';
    return { ...named, source: { kind: 'expression', expression, periodMs: PERIOD_MS } };
  }
  const { Namespace, MetricName, Dimensions } = query.MetricStat.Metric;
  const metric = { namespace: Namespace, name: MetricName, dimensions: Dimensions };
  const statistic = query.MetricStat.Stat;
  return { ...named, source: { kind: 'metric', metric, statistic, periodMs: PERIOD_MS } };
}

function predefinedQuery(type: string, label: string | undefined, resourceId: string): MetricQuery {
  const [, cluster = '', service = ''] = resourceId.split('/');
  const ofService = { ClusterName: cluster, ServiceName: service };
  switch (type) {
    case 'ECSServiceAverageCPUUtilization':
      return metricQuery(
        { namespace: 'AWS/ECS', name: 'CPUUtilization', dimensions: ofService },
        'Average',
      );
    case 'ECSServiceAverageMemoryUtilization':
      return metricQuery(
        { namespace: 'AWS/ECS', name: 'MemoryUtilization', dimensions: ofService },
        'Average',
      );
    case 'ALBRequestCountPerTarget': {
      const group = label?.slice(label.indexOf('targetgroup/'));
      if (group === undefined) {
        throw new AwsError('ValidationException', `${type} needs a ResourceLabel`);
      }
      const name = 'RequestCountPerTarget';
      const metric = { namespace: 'AWS/ApplicationELB', name, dimensions: { TargetGroup: group } };
      return metricQuery(metric, 'Sum');
    }
    default:
      throw new AwsError(
        'ValidationException',
        `The predefined metric ${type} is not supported by this local stand-in`,
      );
  }
}

function metricQuery(
  metric: (MetricQuery['source'] & { kind: 'metric' })['metric'],
  statistic: string,
): MetricQuery {
  return {
    id: 'm1',
    source: { kind: 'metric', metric, statistic, periodMs: PERIOD_MS },
    returnData: true,
  };
}
