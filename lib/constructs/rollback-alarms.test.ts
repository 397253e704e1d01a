import type { Template } from 'aws-cdk-lib/assertions';

import { RollbackAlarms } from './rollback-alarms';
import { plantedStack, templateOf } from './testing/planted';
import { plantedService } from './testing/planted-service';

let template: Template;
let watched: readonly string[];

beforeAll(() => {
  const stack = plantedStack();
  const { targets } = plantedService(stack);
  watched = new RollbackAlarms(stack, 'Rollback', { name: 'dev-planted', targets }).forDeployment
    .alarmNames;
  template = templateOf(stack);
});

test('ECS watches exactly the alarms there are', () => {
  const names = Object.values(template.findResources('AWS::CloudWatch::Alarm')).map(
    (alarm) => (alarm['Properties'] as { AlarmName: string }).AlarmName,
  );
  expect(watched.toSorted()).toEqual(names.sort());
});

test('more than 20 server errors a minute for two minutes bring the old tasks back', () => {
  template.hasResourceProperties('AWS::CloudWatch::Alarm', {
    MetricName: 'HTTPCode_Target_5XX_Count',
    Statistic: 'Sum',
    Period: 60,
    EvaluationPeriods: 2,
    Threshold: 20,
    ComparisonOperator: 'GreaterThanThreshold',
  });
});

test('so does a target that is unhealthy for three minutes on end; one that only starts does not', () => {
  template.hasResourceProperties('AWS::CloudWatch::Alarm', {
    MetricName: 'UnHealthyHostCount',
    Statistic: 'Minimum',
    Period: 60,
    EvaluationPeriods: 3,
    Threshold: 1,
  });
});

test('a service without traffic is not rolled back for its silence', () => {
  template.allResourcesProperties('AWS::CloudWatch::Alarm', { TreatMissingData: 'notBreaching' });
});
