import {
  CloudWatchClient,
  DeleteAlarmsCommand,
  DescribeAlarmsCommand,
  GetMetricDataCommand,
  GetMetricStatisticsCommand,
  ListDashboardsCommand,
  ListMetricsCommand,
  PutMetricAlarmCommand,
  PutMetricDataCommand,
  SetAlarmStateCommand,
} from '@aws-sdk/client-cloudwatch';
import type { PutMetricAlarmCommandInput } from '@aws-sdk/client-cloudwatch';

import { manualClock } from '../clock/manual-clock';
import type { ManualClock } from '../clock/manual-clock';
import type { AlarmAction } from './core/alarm';
import { startCloudWatchStandIn } from './start-cloudwatch';
import type { CloudWatchStandIn } from './start-cloudwatch';

const START = Date.UTC(2026, 10, 26, 12);
const POLICY = 'arn:aws:autoscaling:ap-northeast-1:000000000000:scalingPolicy:emergency';

let clock: ManualClock;
let standIn: CloudWatchStandIn;
let client: CloudWatchClient;

beforeEach(async () => {
  clock = manualClock(START);
  standIn = await startCloudWatchStandIn({ clock });
  client = new CloudWatchClient({
    endpoint: standIn.url,
    region: 'ap-northeast-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
  });
});

afterEach(async () => {
  client.destroy();
  await standIn.close();
});

async function putDepths(...depths: number[]): Promise<void> {
  await client.send(
    new PutMetricDataCommand({
      Namespace: 'MangaAssist',
      MetricData: depths.map((depth, i) => ({
        MetricName: 'BedrockQueueDepth',
        Dimensions: [{ Name: 'Service', Value: 'chat' }],
        Timestamp: new Date(START + i * 10_000),
        StorageResolution: 1,
        Value: depth,
      })),
    }),
  );
}

const depthMetric = {
  Namespace: 'MangaAssist',
  MetricName: 'BedrockQueueDepth',
  Dimensions: [{ Name: 'Service', Value: 'chat' }],
};

test('an answer of many points comes in pages, and says which results go on', async () => {
  await putDepths(5, 60, 250);
  const query = { StartTime: new Date(START), EndTime: new Date(START + 60_000), MaxDatapoints: 2 };
  const MetricDataQueries = ['Maximum', 'SampleCount'].map((Stat) => ({
    Id: Stat.toLowerCase(),
    MetricStat: { Metric: depthMetric, Period: 10, Stat },
  }));
  const first = await client.send(new GetMetricDataCommand({ ...query, MetricDataQueries }));
  expect(first.MetricDataResults).toMatchObject([
    { Id: 'maximum', Values: [250, 60], StatusCode: 'PartialData' },
    { Id: 'samplecount', Values: [], StatusCode: 'PartialData' },
  ]);
  const { NextToken } = first;
  const second = await client.send(
    new GetMetricDataCommand({ ...query, MetricDataQueries, NextToken }),
  );
  expect(second.MetricDataResults).toMatchObject([
    { Id: 'maximum', Values: [5] },
    { Id: 'samplecount', Values: [1], StatusCode: 'PartialData' },
  ]);
});

test('what is put can be read per ten seconds, newest first', async () => {
  await putDepths(5, 60, 250);
  const { MetricDataResults: [result] = [] } = await client.send(
    new GetMetricDataCommand({
      StartTime: new Date(START),
      EndTime: new Date(START + 60_000),
      MetricDataQueries: [
        { Id: 'depth', MetricStat: { Metric: depthMetric, Period: 10, Stat: 'Maximum' } },
      ],
    }),
  );

  expect(result).toMatchObject({ Id: 'depth', StatusCode: 'Complete', Values: [250, 60, 5] });
  expect(result?.Timestamps?.[0]).toEqual(new Date(START + 20_000));
});

test('expressions compute over other queries, which may be hidden', async () => {
  await putDepths(10, 20);
  const { MetricDataResults: results = [] } = await client.send(
    new GetMetricDataCommand({
      StartTime: new Date(START),
      EndTime: new Date(START + 60_000),
      ScanBy: 'TimestampAscending',
      MetricDataQueries: [
        {
          Id: 'm1',
          ReturnData: false,
          MetricStat: { Metric: depthMetric, Period: 10, Stat: 'Sum' },
        },
        { Id: 'e1', Expression: 'FILL(m1, 0) / 2 * 5', Label: 'normalised' },
      ],
    }),
  );

  expect(results).toMatchObject([{ Id: 'e1', Label: 'normalised', Values: [25, 50, 0, 0, 0, 0] }]);
});

test('values with counts and statistic sets are both understood, also gzipped', async () => {
  await client.send(
    new PutMetricDataCommand({
      Namespace: 'MangaAssist',
      MetricData: [
        ...Array.from({ length: 200 }, (_, i) => ({
          MetricName: 'Latency',
          Dimensions: [{ Name: 'Filler', Value: `task-${i}`.padEnd(80, 'x') }],
          Value: i,
        })),
        { MetricName: 'Latency', Values: [100, 900], Counts: [99, 1] },
        {
          MetricName: 'Tokens',
          StatisticValues: { Sum: 30, SampleCount: 3, Minimum: 5, Maximum: 15 },
        },
      ],
    }),
  );
  const ask = async (MetricName: string, Statistics: ('Average' | 'Maximum')[]) => {
    const { Datapoints: [point] = [] } = await client.send(
      new GetMetricStatisticsCommand({
        Namespace: 'MangaAssist',
        MetricName,
        StartTime: new Date(START),
        EndTime: new Date(START + 60_000),
        Period: 60,
        Statistics,
        ...(MetricName === 'Latency' ? { ExtendedStatistics: ['p99', 'p99.5'] } : {}),
      }),
    );
    return point;
  };

  expect(await ask('Latency', ['Maximum'])).toMatchObject({
    Maximum: 900,
    ExtendedStatistics: { p99: 100, 'p99.5': 900 },
  });
  expect(await ask('Tokens', ['Average'])).toMatchObject({ Average: 10 });
});

test('metrics are listed by name and dimension', async () => {
  await putDepths(1);
  const { Metrics: found } = await client.send(
    new ListMetricsCommand({ Namespace: 'MangaAssist', Dimensions: [{ Name: 'Service' }] }),
  );
  const { Metrics: none } = await client.send(
    new ListMetricsCommand({ Dimensions: [{ Name: 'Service', Value: 'other' }] }),
  );

  expect(found).toEqual([depthMetric]);
  expect(none).toEqual([]);
});

const emergency: PutMetricAlarmCommandInput = {
  AlarmName: 'queue-emergency',
  ...depthMetric,
  Statistic: 'Maximum',
  Period: 10,
  EvaluationPeriods: 3,
  Threshold: 200,
  ComparisonOperator: 'GreaterThanThreshold',
  AlarmActions: [POLICY],
};

test('a breach alarms after its periods and calls the policy, again after a minute', async () => {
  const heard: AlarmAction[] = [];
  standIn.onAlarmActions((actions) => heard.push(...actions));
  await client.send(new PutMetricAlarmCommand(emergency));
  await putDepths(250, 260, 270, 280, 290, 300, 310, 320, 330, 340);

  await clock.advance(30_000);
  const { MetricAlarms: [alarm] = [] } = await client.send(new DescribeAlarmsCommand({}));
  await clock.advance(60_000);

  expect(alarm).toMatchObject({ StateValue: 'ALARM', DatapointsToAlarm: 3, Period: 10 });
  expect(heard.map(({ occasion, alarm: { latestValue } }) => [occasion, latestValue])).toEqual([
    ['transition', 270],
    ['reminder', 330],
  ]);
});

test('an alarm on an expression is kept as it was put', async () => {
  await client.send(
    new PutMetricAlarmCommand({
      AlarmName: 'per-five-tasks',
      EvaluationPeriods: 1,
      Threshold: 8_000,
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      Metrics: [
        { Id: 'e', Expression: 'm * 5', ReturnData: true },
        {
          Id: 'm',
          ReturnData: false,
          MetricStat: { Metric: depthMetric, Period: 60, Stat: 'Average' },
        },
      ],
    }),
  );
  await putDepths(2_000);
  await clock.advance(60_000);
  const { MetricAlarms: [alarm] = [] } = await client.send(
    new DescribeAlarmsCommand({ AlarmNames: ['per-five-tasks'] }),
  );

  expect(alarm?.StateValue).toBe('ALARM');
  expect(alarm?.Metrics?.map(({ Id }) => Id)).toEqual(['e', 'm']);
});

test('a state set by hand acts at once and lasts until the next evaluation', async () => {
  const heard: string[] = [];
  standIn.onAlarmActions((actions) => heard.push(...actions.map(({ actionArn }) => actionArn)));
  await client.send(new PutMetricAlarmCommand(emergency));
  await client.send(
    new SetAlarmStateCommand({
      AlarmName: 'queue-emergency',
      StateValue: 'ALARM',
      StateReason: 'drill',
    }),
  );
  expect(heard).toEqual([POLICY]);

  await clock.advance(10_000);
  const { MetricAlarms: [alarm] = [] } = await client.send(new DescribeAlarmsCommand({}));
  expect(alarm?.StateValue).toBe('INSUFFICIENT_DATA');
});

test('alarms are deleted by name, and an unknown one is told so', async () => {
  await client.send(new PutMetricAlarmCommand(emergency));
  const remove = () => client.send(new DeleteAlarmsCommand({ AlarmNames: ['queue-emergency'] }));
  await remove();

  await expect(remove()).rejects.toMatchObject({ name: 'ResourceNotFound' });
});

test('a time a month ago is refused as AWS would', async () => {
  const put = client.send(
    new PutMetricDataCommand({
      Namespace: 'MangaAssist',
      MetricData: [{ MetricName: 'Old', Value: 1, Timestamp: new Date(START - 30 * 86_400_000) }],
    }),
  );
  await expect(put).rejects.toMatchObject({ name: 'InvalidParameterValueException' });
});

test('a call the stand-in does not know names itself in the error', async () => {
  await expect(client.send(new ListDashboardsCommand({}))).rejects.toMatchObject({
    name: 'UnknownOperationException',
    message: expect.stringContaining('ListDashboards') as unknown,
  });
});

test('scripted faults reach the client as throttles and as lost answers', async () => {
  standIn.faults.inject('PutMetricData', { kind: 'throttle' });
  await expect(putDepths(1)).rejects.toMatchObject({ name: 'ThrottlingException' });

  standIn.faults.inject('PutMetricData', { kind: 'reset-after-success' });
  await expect(putDepths(7)).rejects.toThrow();
  expect(standIn.metrics.list(START)).toHaveLength(1);
});
