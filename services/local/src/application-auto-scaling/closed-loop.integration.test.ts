import {
  ApplicationAutoScalingClient,
  PutScalingPolicyCommand,
  RegisterScalableTargetCommand,
} from '@aws-sdk/client-application-auto-scaling';
import { CloudWatchClient, PutMetricAlarmCommand } from '@aws-sdk/client-cloudwatch';
import { DescribeServicesCommand, ECSClient } from '@aws-sdk/client-ecs';

import { eventually } from '../../test/eventually';
import { scaledClock } from '../clock/scaled-clock';
import { startCloudWatchStandIn } from '../cloudwatch/start-cloudwatch';
import { startEcsStandIn } from '../ecs/start-ecs';
import { startElasticLoadBalancingStandIn } from '../elastic-load-balancing/start-elastic-load-balancing';
import { startApplicationAutoScalingStandIn } from './start-application-auto-scaling';

/** Says every real 50 ms, in embedded metric format, how deep its queue is: the number last posted. */
const BUSY_SERVER = `
  const { createServer } = require('node:http');
  let depth = 0;
  createServer((request, response) => {
    if (request.method === 'POST') depth = Number(request.url.slice(1));
    response.end(String(process.pid));
  }).listen(process.env.PORT, '127.0.0.1');
  setInterval(() => console.log(JSON.stringify({
    _aws: {
      Timestamp: Date.now(),
      CloudWatchMetrics: [{
        Namespace: 'MangaAssist',
        Dimensions: [['Service']],
        Metrics: [{ Name: 'BedrockQueueDepth', Unit: 'Count', StorageResolution: 1 }],
      }],
    },
    Service: 'chat',
    BedrockQueueDepth: depth,
  })), 50);
  process.on('SIGTERM', () => process.exit(0));
`;

const account = {
  region: 'ap-northeast-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
};
const RESOURCE = 'service/matsuri/chat';

/** What each test opened, closed in the opposite order. */
const opened: { close(): Promise<void> }[] = [];
async function open<Part extends { close(): Promise<void> }>(
  starting: Promise<Part>,
): Promise<Part> {
  const part = await starting;
  opened.unshift(part);
  return part;
}

afterEach(async () => {
  for (const part of opened.splice(0)) await part.close();
});

test('a queue that tasks report in their logs brings a new task into service, and the floor holds it', async () => {
  const clock = scaledClock({ timeScale: 60 });
  const cloudwatch = await open(startCloudWatchStandIn({ clock, logTimestamps: 'on-arrival' }));
  const elb = await open(
    startElasticLoadBalancingStandIn({ clock, targetGroups: [{ name: 'chat' }] }),
  );
  const ecs = await open(
    startEcsStandIn({
      clock,
      ingestEmf: (line) => cloudwatch.ingestEmf(line),
      targetGroup: (arn) => elb.targetGroup(arn),
      taskDefinitions: [{ family: 'chat', command: [process.execPath, '-e', BUSY_SERVER] }],
    }),
  );
  const scaling = await open(
    startApplicationAutoScalingStandIn({
      clock,
      services: ecs.scalable,
      alarms: cloudwatch.alarms,
    }),
  );
  const aas = new ApplicationAutoScalingClient({ ...account, endpoint: scaling.url });
  const metrics = new CloudWatchClient({ ...account, endpoint: cloudwatch.url });
  const services = new ECSClient({ ...account, endpoint: ecs.url });
  const disconnect = (): Promise<void> => {
    for (const client of [aas, metrics, services]) client.destroy();
    return Promise.resolve();
  };
  opened.unshift({ close: disconnect });
  const targetGroupArn = elb.targetGroup('chat')?.arn ?? '';
  ecs.createService({ name: 'chat', taskDefinition: 'chat', desiredCount: 1, targetGroupArn });
  const balancer = await elb.startBalancer('chat');

  const target = {
    ServiceNamespace: 'ecs',
    ResourceId: RESOURCE,
    ScalableDimension: 'ecs:service:DesiredCount',
  } as const;
  await aas.send(new RegisterScalableTargetCommand({ ...target, MinCapacity: 1, MaxCapacity: 3 }));
  const { PolicyARN: policy = '' } = await aas.send(
    new PutScalingPolicyCommand({
      ...target,
      PolicyName: 'queue-emergency',
      PolicyType: 'StepScaling',
      StepScalingPolicyConfiguration: {
        AdjustmentType: 'ChangeInCapacity',
        Cooldown: 3_600,
        StepAdjustments: [{ MetricIntervalLowerBound: 0, ScalingAdjustment: 1 }],
      },
    }),
  );
  await metrics.send(
    new PutMetricAlarmCommand({
      AlarmName: 'queue-emergency',
      Namespace: 'MangaAssist',
      MetricName: 'BedrockQueueDepth',
      Dimensions: [{ Name: 'Service', Value: 'chat' }],
      Statistic: 'Maximum',
      Period: 10,
      EvaluationPeriods: 3,
      Threshold: 200,
      ComparisonOperator: 'GreaterThanThreshold',
      AlarmActions: [policy],
    }),
  );

  const ask = (method: string, path: string) => fetch(balancer.url + path, { method });
  await eventually(
    async () => (await ask('POST', '/250')).status,
    (status) => status === 200,
  );
  const pids = new Set<string>();
  await eventually(
    async () => pids.add(await (await ask('GET', '/')).text()).size,
    (size) => size === 2,
  );
  const { services: [chat] = [] } = await services.send(
    new DescribeServicesCommand({ cluster: 'matsuri', services: ['chat'] }),
  );
  expect(chat).toMatchObject({ desiredCount: 2, runningCount: 2 });
  expect(scaling.activities()[0]?.cause).toMatch(/alarm queue-emergency .* triggered policy/);

  await aas.send(new RegisterScalableTargetCommand({ ...target, MinCapacity: 3 }));
  await eventually(
    () => elb.targetGroup('chat')?.targets() ?? [],
    (targets) => targets.filter(({ state }) => state === 'healthy').length === 3,
  );
}, 30_000);
