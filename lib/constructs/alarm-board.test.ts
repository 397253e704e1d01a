import { ALARMS } from '@matsuri/contract';
import type { AlarmKey } from '@matsuri/contract';
import type { Template } from 'aws-cdk-lib/assertions';
import * as sns from 'aws-cdk-lib/aws-sns';

import { AlarmBoard } from './alarm-board';
import { plantedStack, templateOf } from './testing/planted';
import { plantedEnvironment } from './testing/planted-platform';

let template: Template;

beforeAll(() => {
  const stack = plantedStack();
  const { platform } = plantedEnvironment();
  const board = new AlarmBoard(stack, 'Alarms', {
    platform,
    resources: { clusterName: 'cluster', serviceName: 'service', loadBalancerName: 'app/front/1' },
    page: new sns.Topic(stack, 'Page'),
    ticket: new sns.Topic(stack, 'Ticket'),
    runbooksUrl: 'https://wiki.example.com/runbooks',
  });
  board.watch('chat');
  board.watch('capacity');
  template = templateOf(stack);
});

const alarm = (key: AlarmKey) => {
  const found = Object.values(template.findResources('AWS::CloudWatch::Alarm'))
    .map((it) => it['Properties'] as Record<string, unknown>)
    .find(({ AlarmDescription }) => String(AlarmDescription).endsWith(`#${key.toLowerCase()}`));
  if (found === undefined) throw new Error(`There is no alarm ${key}`);
  return found;
};

test('an alarm says who suffers, how it ought to be, and what to read', () => {
  expect(alarm('CircuitOpen')['AlarmDescription']).toBe(
    `Impact: ${ALARMS.CircuitOpen.impact}. Ought to be: 0 open circuits. ` +
      'Runbook: https://wiki.example.com/runbooks/chat.md#circuitopen',
  );
});

test('an outage wakes a person once per plane, and says when it is over', () => {
  const composites = Object.values(template.findResources('AWS::CloudWatch::CompositeAlarm'));
  expect(composites).toHaveLength(2);
  for (const { Properties } of composites as { Properties: Record<string, unknown[]> }[]) {
    expect(Properties['AlarmActions']).toEqual([{ Ref: expect.stringMatching(/^Page/) as string }]);
    expect(Properties['OKActions']).toEqual(Properties['AlarmActions']);
  }
  expect(alarm('CircuitOpen')['AlarmActions']).toBeUndefined();
});

test('what can wait for the morning is a ticket', () => {
  expect(alarm('FanoutSlow')['AlarmActions']).toEqual([
    { Ref: expect.stringMatching(/^Ticket/) as string },
  ]);
});

test('a share of the sessions is held against the tasks that run, not against those that were wished for', () => {
  const metrics = JSON.stringify(alarm('SessionCapacityNearlyUsed')['Metrics']);
  expect(metrics).toContain('100 * part / (whole * 2000)');
  expect(metrics).toContain('"Stat":"SampleCount"');
});

test('the ceiling of tasks is 90 % of the profile’s own', () => {
  expect(alarm('TaskCeilingNear')).toMatchObject({ Threshold: 90 });
});

test('a silent autoscaler is bad news, a silent error counter good news', () => {
  expect(alarm('AutoscalerSilent')).toMatchObject({
    TreatMissingData: 'breaching',
    ComparisonOperator: 'LessThanThreshold',
  });
  expect(alarm('CircuitOpen')).toMatchObject({ TreatMissingData: 'notBreaching' });
});
