import {
  CreateServiceCommand,
  DeleteServiceCommand,
  DescribeServicesCommand,
  DescribeTaskDefinitionCommand,
  DescribeTasksCommand,
  ECSClient,
  ListAttributesCommand,
  ListServicesCommand,
  ListTasksCommand,
  RegisterTaskDefinitionCommand,
  RunTaskCommand,
  StopTaskCommand,
  UpdateServiceCommand,
} from '@aws-sdk/client-ecs';
import type { RunTaskCommandInput, Service, Task } from '@aws-sdk/client-ecs';

import { eventually } from '../../test/eventually';
import { scaledClock } from '../clock/scaled-clock';
import type { MetricDatum } from '../cloudwatch/core/metric';
import { startElasticLoadBalancingStandIn } from '../elastic-load-balancing/start-elastic-load-balancing';
import type { ElasticLoadBalancingStandIn } from '../elastic-load-balancing/start-elastic-load-balancing';
import { startEcsStandIn } from './start-ecs';
import type { EcsStandIn } from './start-ecs';

/** Serves its id, tells its health, and says goodbye on SIGTERM. */
const SERVER = `
  const { createServer } = require('node:http');
  console.log(JSON.stringify({ starting: process.env.PORT }));
  createServer((request, response) => response.end(String(process.pid))).listen(process.env.PORT, '127.0.0.1');
  process.on('SIGTERM', () => { console.log('goodbye'); process.exit(0); });
`;
const DEAF = `process.on('SIGTERM', () => undefined); setInterval(() => undefined, 1000); console.log('up');`;
const GREEDY = `const held = []; setInterval(() => held.push(Buffer.alloc(32 << 20, 1)), 20);`;

const node = (script: string): string[] => [process.execPath, '-e', script];

let elb: ElasticLoadBalancingStandIn;
let ecs: EcsStandIn;
let client: ECSClient;
const published: MetricDatum[] = [];

beforeEach(async () => {
  const clock = scaledClock({ timeScale: 100 });
  elb = await startElasticLoadBalancingStandIn({
    clock,
    targetGroups: [{ name: 'chat', deregistrationDelayMs: 30_000 }],
  });
  ecs = await startEcsStandIn({
    clock,
    targetGroup: (arn) => elb.targetGroup(arn),
    publish: (data) => void published.push(...data),
    taskDefinitions: [
      { family: 'server', command: node(SERVER), stopTimeoutMs: 120_000 },
      { family: 'deaf', command: node(DEAF), listens: false, stopTimeoutMs: 30_000 },
      { family: 'greedy', command: node(GREEDY), listens: false, memoryMiB: 256 },
      { family: 'crasher', command: node('process.exit(3)'), listens: false },
    ],
  });
  client = new ECSClient({
    endpoint: ecs.url,
    region: 'ap-northeast-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
    requestHandler: { requestTimeout: 500, throwOnRequestTimeout: true },
  });
});

afterEach(async () => {
  client.destroy();
  await ecs.close();
  await elb.close();
});

const cluster = 'matsuri';

async function describeService(): Promise<Service | undefined> {
  const { services: [service] = [] } = await client.send(
    new DescribeServicesCommand({ cluster, services: ['chat'] }),
  );
  return service;
}

const running = (count: number): Promise<Service | undefined> =>
  eventually(describeService, (service) => service?.runningCount === count);

function startChat(desiredCount: number): void {
  const targetGroupArn = elb.targetGroup('chat')?.arn ?? '';
  ecs.createService({ name: 'chat', taskDefinition: 'server', desiredCount, targetGroupArn });
}

const healthyTargets = (count: number) =>
  eventually(
    () => elb.targetGroup('chat')?.targets() ?? [],
    (targets) => targets.filter(({ state }) => state === 'healthy').length === count,
  );

async function run(input: Partial<RunTaskCommandInput> = {}) {
  return client.send(new RunTaskCommand({ cluster, taskDefinition: 'deaf', ...input }));
}

async function describeTask(taskArn: string | undefined): Promise<Task | undefined> {
  const { tasks: [task] = [] } = await client.send(
    new DescribeTasksCommand({ cluster, tasks: [taskArn ?? ''] }),
  );
  return task;
}

const reaches = (taskArn: string | undefined, status: string): Promise<Task | undefined> =>
  eventually(
    () => describeTask(taskArn),
    (task) => task?.lastStatus === status,
  );

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('a service starts real processes behind the balancer, after provisioning and pulling', async () => {
  const seen: string[] = [];
  ecs.onTaskChange((task) => seen.push(task.lastStatus));
  startChat(2);
  const service = await running(2);
  await healthyTargets(2);
  const balancer = await elb.startBalancer('chat', { spreadMs: 0 });
  const pids = await eventually(
    async () => [
      await (await fetch(balancer.url)).text(),
      await (await fetch(balancer.url)).text(),
    ],
    (answers) => new Set(answers).size === 2,
  );

  expect(service).toMatchObject({ desiredCount: 2, pendingCount: 0, status: 'ACTIVE' });
  expect([...new Set(seen)]).toEqual(['PENDING', 'ACTIVATING', 'RUNNING']);
  expect(pids.map(Number).sort()).toEqual(
    ecs
      .tasks()
      .map(({ pid }) => pid)
      .sort(),
  );
});

test('scaling in drains the target before SIGTERM, and the program says goodbye', async () => {
  startChat(2);
  await healthyTargets(2);
  const order: string[] = [];
  ecs.onTaskChange((task) => order.push(task.lastStatus));
  await client.send(new UpdateServiceCommand({ cluster, service: 'chat', desiredCount: 1 }));
  await eventually(
    () => order,
    (statuses) => statuses.includes('STOPPED'),
  );
  const stopped = ecs.tasks().find(({ lastStatus }) => lastStatus === 'STOPPED');

  expect([...new Set(order)]).toEqual([
    'RUNNING',
    'DEACTIVATING',
    'STOPPING',
    'DEPROVISIONING',
    'STOPPED',
  ]);
  expect(stopped).toMatchObject({ exitCode: 0, stopCode: 'ServiceSchedulerInitiated' });
  expect(ecs.logs(stopped?.id ?? '').map(({ text }) => text)).toContain('goodbye');
  expect(elb.targetGroup('chat')?.targets()).toHaveLength(1);
});

test('a task that is killed is replaced, and its pid is gone', async () => {
  startChat(1);
  await running(1);
  const [first] = ecs.tasks();
  ecs.kill(first?.id ?? '');
  await reaches(first?.id, 'STOPPED');
  await running(1);

  expect(isAlive(first?.pid ?? 0)).toBe(false);
  expect(await describeTask(first?.id)).toMatchObject({
    stopCode: 'EssentialContainerExited',
    containers: [{ exitCode: 137 }],
  });
});

test('a new deployment never leaves fewer healthy tasks than desired', async () => {
  startChat(2);
  await healthyTargets(2);
  const before = ecs.tasks().map(({ id }) => id);
  let fewest = Infinity;
  const watch = ecs.onTaskChange(() => {
    const states = elb.targetGroup('chat')?.targets() ?? [];
    fewest = Math.min(fewest, states.filter(({ state }) => state === 'healthy').length);
  });
  await client.send(
    new UpdateServiceCommand({ cluster, service: 'chat', forceNewDeployment: true }),
  );
  const service = await eventually(
    describeService,
    (described) => described?.deployments?.[0]?.rolloutState === 'COMPLETED',
  );
  watch();

  expect(service?.deployments).toHaveLength(1);
  expect(fewest).toBeGreaterThanOrEqual(2);
  expect(
    ecs
      .tasks()
      .filter(({ id }) => before.includes(id))
      .map(({ lastStatus }) => lastStatus),
  ).toEqual(['STOPPED', 'STOPPED']);
});

test('a program over its memory limit dies alone with code 137', async () => {
  const { tasks: [task] = [] } = await run({ taskDefinition: 'greedy' });
  expect(await reaches(task?.taskArn, 'STOPPED')).toMatchObject({
    containers: [{ exitCode: 137, reason: expect.stringContaining('OutOfMemory') as unknown }],
  });
});

test('a program deaf to SIGTERM is killed when its stop timeout ends', async () => {
  const { tasks: [task] = [] } = await run();
  await reaches(task?.taskArn, 'RUNNING');
  await eventually(
    () => ecs.logs(task?.taskArn?.split('/').at(-1) ?? ''),
    (lines) => lines.length > 0,
  );
  await client.send(new StopTaskCommand({ cluster, task: task?.taskArn, reason: 'enough' }));

  expect(await reaches(task?.taskArn, 'STOPPED')).toMatchObject({
    stopCode: 'UserInitiated',
    stoppedReason: 'enough',
    containers: [{ exitCode: 137 }],
  });
});

test('the same client token places one task, however often the answer is lost', async () => {
  ecs.faults.inject('RunTask', { kind: 'silent-after-success' });
  await expect(run({ clientToken: 'epoch-7' })).rejects.toMatchObject({ name: 'TimeoutError' });
  const again = await run({ clientToken: 'epoch-7' });
  const { taskArns } = await client.send(new ListTasksCommand({ cluster, family: 'deaf' }));

  expect(taskArns).toEqual([again.tasks?.[0]?.taskArn]);
  await expect(run({ clientToken: 'epoch-7', count: 2 })).rejects.toMatchObject({
    name: 'ConflictException',
    resourceIds: taskArns,
  });
});

test('placements fail in failures[], throttles as exceptions, both as scripted', async () => {
  ecs.script.refusePlacement('RESOURCE:MEMORY');
  expect(await run()).toMatchObject({ tasks: [], failures: [{ reason: 'RESOURCE:MEMORY' }] });

  ecs.faults.inject('RunTask', { kind: 'throttle' });
  await expect(run()).rejects.toMatchObject({ name: 'ThrottlingException' });
  expect((await run()).tasks).toHaveLength(1);
});

test('a listing can lag behind by ten seconds', async () => {
  ecs.script.staleListings(10_000);
  await run({ startedBy: 'pool' });
  const list = async () =>
    (await client.send(new ListTasksCommand({ cluster, startedBy: 'pool' }))).taskArns ?? [];

  expect(await list()).toEqual([]);
  await eventually(list, (arns) => arns.length === 1);
});

test('a task can die before its program starts, and a service tries again', async () => {
  ecs.script.failStarts('CannotPullContainerError: pull access denied');
  startChat(1);
  await running(1);
  const dead = ecs.tasks().find(({ stopCode }) => stopCode === 'TaskFailedToStart');

  expect(dead).toMatchObject({ stoppedReason: expect.stringContaining('CannotPull') as unknown });
});

test('a service whose program crashes at once is restarted ever more slowly', async () => {
  ecs.createService({ name: 'chat', taskDefinition: 'crasher', desiredCount: 1 });
  const service = await eventually(
    describeService,
    (described) => (described?.deployments?.[0]?.failedTasks ?? 0) >= 3,
  );
  expect(service?.events?.[0]?.message).toMatch(/has stopped a task/);
});

test('overrides, tags and the metadata endpoint reach the program', async () => {
  const script = `fetch(process.env.ECS_CONTAINER_METADATA_URI_V4 + '/task')
    .then((r) => r.json()).then((t) => console.log(process.env.GREETING, t.TaskARN, t.Family))`;
  await client.send(
    new RegisterTaskDefinitionCommand({
      family: 'curious',
      containerDefinitions: [{ name: 'app', command: node(script) }],
    }),
  );
  const { tasks: [task] = [] } = await run({
    taskDefinition: 'curious',
    tags: [{ key: 'user', value: 'u-1' }],
    overrides: {
      containerOverrides: [{ name: 'app', environment: [{ name: 'GREETING', value: 'moshi' }] }],
    },
  });
  const ended = await reaches(task?.taskArn, 'STOPPED');
  const id = task?.taskArn?.split('/').at(-1) ?? '';

  expect(ended?.tags).toEqual([{ key: 'user', value: 'u-1' }]);
  expect(ecs.logs(id).map(({ text }) => text)).toEqual([`moshi ${task?.taskArn ?? ''} curious`]);
});

test('services and definitions are created, listed, described and deleted', async () => {
  await client.send(
    new CreateServiceCommand({
      cluster,
      serviceName: 'chat',
      taskDefinition: 'deaf',
      desiredCount: 1,
    }),
  );
  await running(1);
  const { serviceArns } = await client.send(new ListServicesCommand({ cluster }));
  const { taskDefinition } = await client.send(
    new DescribeTaskDefinitionCommand({ taskDefinition: 'deaf:1' }),
  );
  await client.send(new DeleteServiceCommand({ cluster, service: 'chat', force: true }));

  expect(serviceArns).toHaveLength(1);
  expect(taskDefinition).toMatchObject({ family: 'deaf', revision: 1 });
  await eventually(
    () => ecs.tasks(),
    (tasks) => tasks.every(({ lastStatus }) => lastStatus === 'STOPPED'),
  );
  expect(await describeService()).toBeUndefined();
});

test('what does not exist is said so in the words of ECS', async () => {
  const { failures } = await client.send(
    new DescribeServicesCommand({ cluster, services: ['ghost'] }),
  );
  expect(failures).toMatchObject([{ reason: 'MISSING' }]);
  await expect(
    client.send(new UpdateServiceCommand({ cluster, service: 'ghost', desiredCount: 1 })),
  ).rejects.toMatchObject({ name: 'ServiceNotFoundException' });
  await expect(client.send(new ListTasksCommand({ cluster: 'elsewhere' }))).rejects.toMatchObject({
    name: 'ClusterNotFoundException',
  });
  await expect(run({ taskDefinition: 'ghost' })).rejects.toMatchObject({ name: 'ClientException' });
  await expect(client.send(new StopTaskCommand({ cluster, task: 'ghost' }))).rejects.toMatchObject({
    name: 'InvalidParameterException',
  });
  await expect(
    client.send(new ListAttributesCommand({ cluster, targetType: 'container-instance' })),
  ).rejects.toThrow(/ListAttributes is not supported/);
});

test('task counts and CPU are published each minute', async () => {
  startChat(1);
  await running(1);
  const names = await eventually(
    () => published.filter(({ dimensions }) => dimensions['ServiceName'] === 'chat'),
    (data) => data.some(({ name }) => name === 'CPUUtilization'),
  );
  expect(new Set(names.map(({ name }) => name))).toEqual(
    new Set(['DesiredTaskCount', 'RunningTaskCount', 'PendingTaskCount', 'CPUUtilization']),
  );
});
