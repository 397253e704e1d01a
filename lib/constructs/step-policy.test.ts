import { configure } from '@matsuri/contract';
import { Duration } from 'aws-cdk-lib';
import type { Template } from 'aws-cdk-lib/assertions';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';

import { serviceTarget } from './service-target';
import { StepPolicy } from './step-policy';
import { plantedStack, templateOf } from './testing/planted';
import { plantedService } from './testing/planted-service';

const { steps } = configure({ environment: 'prod', profile: 'genai' }).scaling;

let template: Template;

beforeAll(() => {
  const stack = plantedStack();
  const target = serviceTarget(stack, 'Tasks', plantedService(stack).service, {
    minTasks: 1,
    maxTasks: 2,
  });
  for (const policy of steps) {
    new StepPolicy(stack, policy.name, {
      policy,
      target,
      reading: (periodSeconds) =>
        new cloudwatch.Metric({
          namespace: 'Planted',
          metricName: policy.signal,
          period: Duration.seconds(periodSeconds),
        }),
      name: `dev-${policy.name}`,
    });
  }
  template = templateOf(stack);
});

const policyNamed = (PolicyName: string) => {
  const [found] = Object.values(
    template.findResources('AWS::ApplicationAutoScaling::ScalingPolicy', {
      Properties: { PolicyName },
    }),
  );
  return found?.['Properties'] as {
    StepScalingPolicyConfiguration: { StepAdjustments: object[]; Cooldown: number };
  };
};

const alarmNamed = (AlarmName: string) => {
  const [found] = Object.values(
    template.findResources('AWS::CloudWatch::Alarm', { Properties: { AlarmName } }),
  );
  return found?.['Properties'] as Record<string, unknown>;
};

test('bounds are counted from the alarm’s threshold, and the outermost step has none', () => {
  expect(
    policyNamed('websocket-connections-step').StepScalingPolicyConfiguration.StepAdjustments,
  ).toEqual([
    { MetricIntervalLowerBound: 0, MetricIntervalUpperBound: 1_000, ScalingAdjustment: 2 },
    { MetricIntervalLowerBound: 1_000, MetricIntervalUpperBound: 2_000, ScalingAdjustment: 4 },
    { MetricIntervalLowerBound: 2_000, ScalingAdjustment: 6 },
  ]);
  expect(policyNamed('latency-step-in').StepScalingPolicyConfiguration.StepAdjustments).toEqual([
    { MetricIntervalUpperBound: 0, ScalingAdjustment: -1 },
  ]);
});

test('growing is quick and shrinking slow: ten-second readings up, minutes down', () => {
  expect(alarmNamed('dev-queue-depth-step-out')).toMatchObject({
    Period: 10,
    EvaluationPeriods: 12,
    ComparisonOperator: 'GreaterThanThreshold',
  });
  expect(alarmNamed('dev-queue-depth-step-in')).toMatchObject({
    Period: 60,
    EvaluationPeriods: 10,
    ComparisonOperator: 'LessThanThreshold',
  });
});

test('a threshold that counts itself is reached by equality', () => {
  expect(alarmNamed('dev-websocket-connections-step-out')).toMatchObject({
    ComparisonOperator: 'GreaterThanOrEqualToThreshold',
  });
});

test('no reading is no reason, neither to grow nor to shrink', () => {
  template.allResourcesProperties('AWS::CloudWatch::Alarm', { TreatMissingData: 'notBreaching' });
});

test('a signal without a way back has no alarm for it', () => {
  expect(alarmNamed('dev-queue-depth-emergency-out')).toBeDefined();
  expect(alarmNamed('dev-queue-depth-emergency-in')).toBeUndefined();
});

test('every alarm acts on a policy', () => {
  for (const alarm of Object.values(template.findResources('AWS::CloudWatch::Alarm'))) {
    expect((alarm['Properties'] as { AlarmActions: unknown[] }).AlarmActions).toHaveLength(1);
  }
});
