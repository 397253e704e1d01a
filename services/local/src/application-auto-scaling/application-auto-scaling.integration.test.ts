import {
  ApplicationAutoScalingClient,
  DeleteScalingPolicyCommand,
  DeleteScheduledActionCommand,
  DeregisterScalableTargetCommand,
  DescribeScalableTargetsCommand,
  DescribeScalingActivitiesCommand,
  DescribeScalingPoliciesCommand,
  DescribeScheduledActionsCommand,
  GetPredictiveScalingForecastCommand,
  PutScalingPolicyCommand,
  PutScheduledActionCommand,
  RegisterScalableTargetCommand,
} from '@aws-sdk/client-application-auto-scaling';
import type {
  PutScalingPolicyCommandInput,
  PutScheduledActionCommandInput,
  RegisterScalableTargetCommandInput,
} from '@aws-sdk/client-application-auto-scaling';

import { manualClock } from '../clock/manual-clock';
import type { ManualClock } from '../clock/manual-clock';
import { newAlarm } from '../cloudwatch/core/alarm';
import type { MetricIdentity } from '../cloudwatch/core/metric';
import { startCloudWatchStandIn } from '../cloudwatch/start-cloudwatch';
import type { CloudWatchStandIn } from '../cloudwatch/start-cloudwatch';
import { startApplicationAutoScalingStandIn } from './start-application-auto-scaling';
import type { ApplicationAutoScalingStandIn } from './start-application-auto-scaling';

// Thursday 2026-11-26, 20:00 in Tokyo.
const START = Date.UTC(2026, 10, 26, 11);
const MINUTE_MS = 60_000;
const RESOURCE = 'service/matsuri/chat';
const TARGET = {
  ServiceNamespace: 'ecs',
  ResourceId: RESOURCE,
  ScalableDimension: 'ecs:service:DesiredCount',
} as const;

let clock: ManualClock;
let cloudwatch: CloudWatchStandIn;
let scaling: ApplicationAutoScalingStandIn;
let client: ApplicationAutoScalingClient;
let desired: number;

beforeEach(async () => {
  clock = manualClock(START);
  desired = 10;
  cloudwatch = await startCloudWatchStandIn({ clock });
  scaling = await startApplicationAutoScalingStandIn({
    clock,
    alarms: cloudwatch.alarms,
    services: {
      desiredCount: (resourceId) => (resourceId === RESOURCE ? desired : undefined),
      setDesiredCount: (_, count) => (desired = count),
    },
  });
  client = new ApplicationAutoScalingClient({
    endpoint: scaling.url,
    region: 'ap-northeast-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
  });
});

afterEach(async () => {
  client.destroy();
  await scaling.close();
  await cloudwatch.close();
});

const register = (input: Partial<RegisterScalableTargetCommandInput> = {}) =>
  client.send(
    new RegisterScalableTargetCommand({ ...TARGET, MinCapacity: 5, MaxCapacity: 100, ...input }),
  );
const putPolicy = (input: Omit<PutScalingPolicyCommandInput, keyof typeof TARGET>) =>
  client.send(new PutScalingPolicyCommand({ ...TARGET, ...input }));
const schedule = (input: Partial<PutScheduledActionCommandInput>) =>
  client.send(new PutScheduledActionCommand({ ...TARGET, ScheduledActionName: 'night', ...input }));

const activeCalls: MetricIdentity = {
  namespace: 'MangaAssist',
  name: 'ActiveBedrockInvocations',
  dimensions: {},
};

const track40 = (input: Partial<PutScalingPolicyCommandInput> = {}) =>
  putPolicy({
    PolicyName: 'active-invocations',
    PolicyType: 'TargetTrackingScaling',
    TargetTrackingScalingPolicyConfiguration: {
      TargetValue: 40,
      ScaleOutCooldown: 120,
      ScaleInCooldown: 300,
      CustomizedMetricSpecification: {
        Namespace: activeCalls.namespace,
        MetricName: activeCalls.name,
        Statistic: 'Average',
      },
    },
    ...input,
  });

/** Lets minutes pass, each with one reading of a metric. */
async function live(minutes: number, metric: MetricIdentity, value: number): Promise<void> {
  for (let i = 0; i < minutes; i += 1) {
    cloudwatch.put([{ ...metric, samples: [{ value, count: 1 }] }]);
    await clock.advance(MINUTE_MS);
  }
}

test('raising the floor raises the service at once, lowering the ceiling lowers it', async () => {
  await register({ MinCapacity: 20 });
  expect(desired).toBe(20);
  await register({ MinCapacity: 5, MaxCapacity: 12 });
  expect(desired).toBe(12);
  await register({ MinCapacity: 6 });
  expect(desired).toBe(12);

  const { ScalableTargets: [target] = [] } = await client.send(
    new DescribeScalableTargetsCommand({ ServiceNamespace: 'ecs', ResourceIds: [RESOURCE] }),
  );
  const { ScalingActivities: activities = [] } = await client.send(
    new DescribeScalingActivitiesCommand({ ServiceNamespace: 'ecs', ResourceId: RESOURCE }),
  );
  expect(target).toMatchObject({ MinCapacity: 6, MaxCapacity: 100 });
  expect(activities.map(({ Cause }) => Cause)).toEqual([
    'maximum capacity was set to 12',
    'minimum capacity was set to 20',
  ]);
});

test('only given fields of a target change', async () => {
  await register();
  await client.send(
    new RegisterScalableTargetCommand({
      ...TARGET,
      SuspendedState: { DynamicScalingInSuspended: true },
    }),
  );
  const { ScalableTargets: [target] = [] } = await client.send(
    new DescribeScalableTargetsCommand({ ServiceNamespace: 'ecs' }),
  );
  expect(target).toMatchObject({
    MinCapacity: 5,
    MaxCapacity: 100,
    SuspendedState: { DynamicScalingInSuspended: true, DynamicScalingOutSuspended: false },
  });
});

test('target tracking scales out after three minutes above its target, not before', async () => {
  await register();
  await track40();
  await live(2, activeCalls, 80);
  expect(desired).toBe(10);
  await live(1, activeCalls, 80);
  expect(desired).toBe(20);
});

test('target tracking scales in after fifteen minutes well below', async () => {
  await register();
  await track40();
  await live(14, activeCalls, 20);
  expect(desired).toBe(10);
  await live(1, activeCalls, 20);
  expect(desired).toBe(5);
});

test('just below the target nothing moves', async () => {
  await register();
  await track40();
  await live(20, activeCalls, 37);
  expect(desired).toBe(10);
});

test('a suspended direction does not move, the other does', async () => {
  await register({ SuspendedState: { DynamicScalingInSuspended: true } });
  await track40();
  await live(16, activeCalls, 20);
  expect(desired).toBe(10);
  await live(3, activeCalls, 80);
  expect(desired).toBe(20);
});

test('one policy that is content keeps the other from scaling in', async () => {
  await register();
  await track40();
  await track40({
    PolicyName: 'cpu',
    TargetTrackingScalingPolicyConfiguration: {
      TargetValue: 65,
      PredefinedMetricSpecification: {
        PredefinedMetricType: 'ECSServiceAverageCPUUtilization',
      },
    },
  });
  const cpu: MetricIdentity = {
    namespace: 'AWS/ECS',
    name: 'CPUUtilization',
    dimensions: { ClusterName: 'matsuri', ServiceName: 'chat' },
  };
  for (let i = 0; i < 16; i += 1) {
    cloudwatch.put([{ ...cpu, samples: [{ value: 60, count: 1 }] }]);
    await live(1, activeCalls, 20);
  }
  expect(desired).toBe(10);
});

test('metric math over several metrics can be tracked', async () => {
  await register();
  await track40({
    TargetTrackingScalingPolicyConfiguration: {
      TargetValue: 8_000,
      CustomizedMetricSpecification: {
        Metrics: [
          {
            Id: 'm1',
            ReturnData: false,
            MetricStat: {
              Metric: { Namespace: 'MangaAssist', MetricName: 'ActiveWebSocketConnections' },
              Stat: 'Average',
            },
          },
          { Id: 'e1', Expression: 'm1 * 5', ReturnData: true },
        ],
      },
    },
  });
  await live(
    3,
    { namespace: 'MangaAssist', name: 'ActiveWebSocketConnections', dimensions: {} },
    2_400,
  );
  expect(desired).toBe(15);
});

async function stepPolicy(
  name: string,
  metric: MetricIdentity,
  threshold: number,
  steps: { from: number; to?: number; add: number }[],
): Promise<void> {
  const { PolicyARN: arn = '' } = await putPolicy({
    PolicyName: name,
    PolicyType: 'StepScaling',
    StepScalingPolicyConfiguration: {
      AdjustmentType: 'ChangeInCapacity',
      Cooldown: 60,
      StepAdjustments: steps.map(({ from, to, add }) => ({
        MetricIntervalLowerBound: from,
        ScalingAdjustment: add,
        ...(to === undefined ? {} : { MetricIntervalUpperBound: to }),
      })),
    },
  });
  const source = { kind: 'metric', metric, statistic: 'Maximum', periodMs: 10_000 } as const;
  cloudwatch.alarms.save(
    newAlarm(
      {
        name: `${name}-alarm`,
        queries: [{ id: 'm', source, returnData: true }],
        periodMs: 10_000,
        comparison: 'GreaterThanOrEqualToThreshold',
        threshold,
        evaluationPeriods: 3,
        datapointsToAlarm: 3,
        treatMissingData: 'missing',
        actionsEnabled: true,
        actions: { ALARM: [arn], OK: [], INSUFFICIENT_DATA: [] },
      },
      clock.nowMs(),
    ),
  );
}

const depth: MetricIdentity = {
  namespace: 'MangaAssist',
  name: 'BedrockQueueDepth',
  dimensions: {},
};
const p99: MetricIdentity = { namespace: 'MangaAssist', name: 'RequestLatencyP99', dimensions: {} };

async function liveTenSeconds(readings: [MetricIdentity, number][]): Promise<void> {
  cloudwatch.put(
    readings.map(([metric, value]) => ({
      ...metric,
      storageResolutionSeconds: 1,
      samples: [{ value, count: 1 }],
    })),
  );
  await clock.advance(10_000);
}

test('a step policy acts within thirty seconds of a high-resolution breach', async () => {
  await register();
  await stepPolicy('queue-emergency', depth, 200, [{ from: 0, add: 10 }]);
  for (let i = 0; i < 3; i += 1) await liveTenSeconds([[depth, 260]]);
  expect(desired).toBe(20);
});

test('of two policies that fire together the larger capacity is taken', async () => {
  await register();
  await stepPolicy('latency', p99, 4_000, [{ from: 0, add: 3 }]);
  await stepPolicy('queue', depth, 50, [
    { from: 0, to: 150, add: 2 },
    { from: 150, add: 10 },
  ]);
  for (let i = 0; i < 3; i += 1) {
    await liveTenSeconds([
      [p99, 5_000],
      [depth, 90],
    ]);
  }
  expect(desired).toBe(13);
});

test('policies are described as put and leave no alarm behind when deleted', async () => {
  await register();
  const { Alarms: alarms } = await track40();
  const { ScalingPolicies: [policy] = [] } = await client.send(
    new DescribeScalingPoliciesCommand({ ServiceNamespace: 'ecs', ResourceId: RESOURCE }),
  );
  expect(alarms).toHaveLength(2);
  expect(policy).toMatchObject({
    PolicyName: 'active-invocations',
    PolicyType: 'TargetTrackingScaling',
    TargetTrackingScalingPolicyConfiguration: { TargetValue: 40, ScaleOutCooldown: 120 },
  });

  const remove = () =>
    client.send(new DeleteScalingPolicyCommand({ ...TARGET, PolicyName: 'active-invocations' }));
  await remove();
  expect(cloudwatch.alarms.list()).toEqual([]);
  await expect(remove()).rejects.toMatchObject({ name: 'ObjectNotFoundException' });
});

test('a schedule moves the floor at its hour in Tokyo, every day', async () => {
  await register();
  await schedule({
    Schedule: 'cron(30 20 * * ? *)',
    Timezone: 'Asia/Tokyo',
    ScalableTargetAction: { MinCapacity: 30 },
  });
  await clock.advance(29 * MINUTE_MS);
  expect(desired).toBe(10);
  await clock.advance(2 * MINUTE_MS);
  expect(desired).toBe(30);
  await register({ MinCapacity: 5 });
  desired = 10;
  await clock.advance(24 * 60 * MINUTE_MS);
  expect(desired).toBe(30);
});

test('a one-time action runs once and stays listed', async () => {
  await register({ MinCapacity: 40 });
  await schedule({ Schedule: 'at(2026-11-26T11:05:00)', ScalableTargetAction: { MinCapacity: 8 } });
  await clock.advance(6 * MINUTE_MS);
  expect(scaling.targets()).toMatchObject([{ minCapacity: 8 }]);
  expect(desired).toBe(40);

  await register({ MinCapacity: 12 });
  await clock.advance(60 * MINUTE_MS);
  const { ScheduledActions: actions = [] } = await client.send(
    new DescribeScheduledActionsCommand({ ServiceNamespace: 'ecs' }),
  );
  expect(scaling.targets()).toMatchObject([{ minCapacity: 12 }]);
  expect(actions).toHaveLength(1);
});

test('a renewed one-time action runs at its new time only', async () => {
  await register({ MinCapacity: 40 });
  await schedule({ Schedule: 'at(2026-11-26T11:05:00)', ScalableTargetAction: { MinCapacity: 8 } });
  await clock.advance(4 * MINUTE_MS);
  await schedule({ Schedule: 'at(2026-11-26T11:10:00)', ScalableTargetAction: { MinCapacity: 8 } });
  await clock.advance(4 * MINUTE_MS);
  expect(scaling.targets()).toMatchObject([{ minCapacity: 40 }]);
  await clock.advance(3 * MINUTE_MS);
  expect(scaling.targets()).toMatchObject([{ minCapacity: 8 }]);
});

test('start, end and suspension bound a schedule', async () => {
  await register();
  await schedule({
    Schedule: 'rate(1 minute)',
    StartTime: new Date(START + 10 * MINUTE_MS),
    EndTime: new Date(START + 20 * MINUTE_MS),
    ScalableTargetAction: { MinCapacity: 30 },
  });
  await clock.advance(10 * MINUTE_MS);
  expect(desired).toBe(10);
  await clock.advance(2 * MINUTE_MS);
  expect(desired).toBe(30);

  await register({ MinCapacity: 5, SuspendedState: { ScheduledScalingSuspended: true } });
  desired = 10;
  await clock.advance(3 * MINUTE_MS);
  expect(desired).toBe(10);
  await register({ SuspendedState: { ScheduledScalingSuspended: false } });
  await clock.advance(20 * MINUTE_MS);
  expect(scaling.targets()).toMatchObject([{ minCapacity: 30 }]);
  await register({ MinCapacity: 5 });
  await clock.advance(20 * MINUTE_MS);
  expect(scaling.targets()).toMatchObject([{ minCapacity: 5 }]);
});

test('a scheduled floor above the ceiling fails visibly and changes nothing', async () => {
  await register({ MaxCapacity: 20 });
  await schedule({ Schedule: 'rate(1 minute)', ScalableTargetAction: { MinCapacity: 30 } });
  await clock.advance(61_000);
  expect(desired).toBe(10);
  expect(scaling.activities()[0]).toMatchObject({ status: 'Failed' });
});

test('scheduled actions are deleted, and deregistering takes everything along', async () => {
  await register();
  await schedule({ Schedule: 'rate(1 hour)', ScalableTargetAction: { MinCapacity: 6 } });
  const remove = () =>
    client.send(new DeleteScheduledActionCommand({ ...TARGET, ScheduledActionName: 'night' }));
  await remove();
  await expect(remove()).rejects.toMatchObject({ name: 'ObjectNotFoundException' });

  await track40();
  await client.send(new DeregisterScalableTargetCommand(TARGET));
  expect(cloudwatch.alarms.list()).toEqual([]);
  await expect(client.send(new DeregisterScalableTargetCommand(TARGET))).rejects.toMatchObject({
    name: 'ObjectNotFoundException',
  });
});

test.each([
  ['a floor above the ceiling', () => register({ MinCapacity: 9, MaxCapacity: 8 }), 'above'],
  [
    'a service that does not exist',
    () => register({ ResourceId: 'service/matsuri/ghost' }),
    'ghost',
  ],
  ['another namespace', () => register({ ServiceNamespace: 'dynamodb' }), 'only the namespace ecs'],
])('%s is refused', async (_, call, message) => {
  await expect(call()).rejects.toMatchObject({
    name: 'ValidationException',
    message: expect.stringContaining(message) as unknown,
  });
});

test('bad schedules are refused with the reason', async () => {
  await register();
  const action = { ScalableTargetAction: { MinCapacity: 6 } };
  await expect(schedule({ ...action, Schedule: 'cron(0 6 * * * *)' })).rejects.toThrow(
    /must be \?/,
  );
  await expect(
    schedule({ ...action, Schedule: 'rate(1 hour)', Timezone: 'Tokyo' }),
  ).rejects.toThrow(/IANA/);
  await expect(schedule({ ...action, Schedule: 'at(2020-01-01T00:00:00)' })).rejects.toThrow(
    /lie ahead/,
  );
});

test('a call the stand-in does not know names itself', async () => {
  await expect(
    client.send(
      new GetPredictiveScalingForecastCommand({
        ...TARGET,
        PolicyName: 'x',
        StartTime: new Date(START),
        EndTime: new Date(START + 1),
      }),
    ),
  ).rejects.toThrow(/GetPredictiveScalingForecast is not supported/);
});
