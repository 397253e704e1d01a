import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { once } from 'node:events';

import {
  CreateTargetGroupCommand,
  DeleteTargetGroupCommand,
  DeregisterTargetsCommand,
  DescribeLoadBalancersCommand,
  DescribeTargetGroupAttributesCommand,
  DescribeTargetGroupsCommand,
  DescribeTargetHealthCommand,
  ElasticLoadBalancingV2Client,
  ModifyTargetGroupAttributesCommand,
  RegisterTargetsCommand,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import type { TargetHealth } from '@aws-sdk/client-elastic-load-balancing-v2';

import { eventually } from '../../test/eventually';
import { scaledClock } from '../clock/scaled-clock';
import type { MetricDatum } from '../cloudwatch/core/metric';
import { startElasticLoadBalancingStandIn } from './start-elastic-load-balancing';
import type { ElasticLoadBalancingStandIn } from './start-elastic-load-balancing';

interface Task {
  readonly port: number;
  healthStatus: number;
  close(): Promise<void>;
}

const tasks: Task[] = [];
const published: MetricDatum[] = [];
let standIn: ElasticLoadBalancingStandIn;
let client: ElasticLoadBalancingV2Client;
let groupArn: string;

beforeEach(async () => {
  standIn = await startElasticLoadBalancingStandIn({
    clock: scaledClock({ timeScale: 200 }),
    targetGroups: [{ name: 'chat', intervalMs: 60_000, deregistrationDelayMs: 300_000 }],
    publish: (data) => void published.push(...data),
  });
  groupArn = standIn.targetGroup('chat')?.arn ?? '';
  client = new ElasticLoadBalancingV2Client({
    endpoint: standIn.url,
    region: 'ap-northeast-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
  });
});

afterEach(async () => {
  client.destroy();
  await standIn.close();
  await Promise.all(tasks.splice(0).map((task) => task.close()));
});

/** A task that answers with its port, and echoes on upgraded connections. */
async function startTask(): Promise<Task> {
  const server: Server = createServer((request, response) => {
    response.statusCode = request.url === '/healthz' ? task.healthStatus : 200;
    response.end(String(task.port));
  });
  server.on('upgrade', (_request, socket) => {
    socket.on('error', () => socket.destroy());
    socket.write(
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\n',
    );
    socket.pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const task: Task = {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    healthStatus: 200,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  tasks.push(task);
  return task;
}

const targetOf = (task: Task) => ({ Id: '127.0.0.1', Port: task.port });

async function register(task: Task): Promise<void> {
  await client.send(
    new RegisterTargetsCommand({ TargetGroupArn: groupArn, Targets: [targetOf(task)] }),
  );
}

async function healthOf(task: Task): Promise<TargetHealth | undefined> {
  const { TargetHealthDescriptions: [found] = [] } = await client.send(
    new DescribeTargetHealthCommand({ TargetGroupArn: groupArn, Targets: [targetOf(task)] }),
  );
  return found?.TargetHealth;
}

const becomes = (task: Task, state: string): Promise<TargetHealth | undefined> =>
  eventually(
    () => healthOf(task),
    (health) => health?.State === state,
  );

test('a registered target passes from initial to healthy by real health checks', async () => {
  const task = await startTask();
  expect(await healthOf(task)).toMatchObject({ State: 'unused', Reason: 'Target.NotRegistered' });
  await register(task);
  expect(await healthOf(task)).toMatchObject({
    State: 'initial',
    Reason: 'Elb.InitialHealthChecking',
  });
  await becomes(task, 'healthy');
});

test('a target that answers wrongly or not at all becomes unhealthy and says why', async () => {
  const [sick, dead] = [await startTask(), await startTask()];
  sick.healthStatus = 503;
  await dead.close();
  await register(sick);
  await register(dead);

  expect(await becomes(sick, 'unhealthy')).toMatchObject({ Reason: 'Target.ResponseCodeMismatch' });
  expect(await becomes(dead, 'unhealthy')).toMatchObject({ Reason: 'Target.FailedHealthChecks' });
});

test('a deregistered target drains, then is no longer in the group', async () => {
  const task = await startTask();
  await register(task);
  await client.send(
    new DeregisterTargetsCommand({ TargetGroupArn: groupArn, Targets: [targetOf(task)] }),
  );
  expect(await healthOf(task)).toMatchObject({
    State: 'draining',
    Reason: 'Target.DeregistrationInProgress',
  });
  await becomes(task, 'unused');
  const { TargetHealthDescriptions: all } = await client.send(
    new DescribeTargetHealthCommand({ TargetGroupArn: groupArn }),
  );
  expect(all).toEqual([]);
});

test('target groups are created, found by name, tuned and deleted', async () => {
  const { TargetGroups: [created] = [] } = await client.send(
    new CreateTargetGroupCommand({ Name: 'api', Port: 8080, HealthCheckPath: '/up' }),
  );
  const TargetGroupArn = created?.TargetGroupArn ?? '';
  await client.send(
    new ModifyTargetGroupAttributesCommand({
      TargetGroupArn,
      Attributes: [{ Key: 'deregistration_delay.timeout_seconds', Value: '30' }],
    }),
  );
  const { Attributes: attributes } = await client.send(
    new DescribeTargetGroupAttributesCommand({ TargetGroupArn }),
  );
  const { TargetGroups: [found] = [] } = await client.send(
    new DescribeTargetGroupsCommand({ Names: ['api'] }),
  );
  await client.send(new DeleteTargetGroupCommand({ TargetGroupArn }));

  expect(attributes).toEqual([{ Key: 'deregistration_delay.timeout_seconds', Value: '30' }]);
  expect(found).toMatchObject({ TargetGroupArn, Port: 8080, HealthCheckPath: '/up' });
  await expect(
    client.send(new DescribeTargetGroupsCommand({ Names: ['api'] })),
  ).rejects.toMatchObject({ name: 'TargetGroupNotFoundException' });
});

test('an unknown group and an unknown call are named in their errors', async () => {
  await expect(
    client.send(new DescribeTargetHealthCommand({ TargetGroupArn: 'arn:nowhere' })),
  ).rejects.toMatchObject({ name: 'TargetGroupNotFoundException' });
  await expect(client.send(new DescribeLoadBalancersCommand({}))).rejects.toThrow(
    /DescribeLoadBalancers is not supported/,
  );
});

test('the balancer spreads requests over healthy targets and counts them', async () => {
  const [one, two] = [await startTask(), await startTask()];
  await register(one);
  await register(two);
  const balancer = await standIn.startBalancer('chat');
  const ask = async (): Promise<string> => (await fetch(balancer.url)).text();
  await Promise.all([becomes(one, 'healthy'), becomes(two, 'healthy')]);
  await eventually(
    async () => [await ask(), await ask(), await ask(), await ask()],
    // The rounds in which targets join are uneven; from then on they alternate.
    (ports) =>
      [one, two].every(({ port }) => ports.filter((each) => each === String(port)).length === 2),
  );
  const perTarget = await eventually(
    () => published.filter(({ name }) => name === 'RequestCountPerTarget'),
    (data) => data.length > 0,
  );

  expect(perTarget[0]?.dimensions['TargetGroup']).toMatch(/^targetgroup\/chat\//);
});

test('without a healthy target the balancer says 503, with a dead one 502', async () => {
  const balancer = await standIn.startBalancer('chat', { spreadMs: 0 });
  expect((await fetch(balancer.url)).status).toBe(503);

  const task = await startTask();
  await register(task);
  await becomes(task, 'healthy');
  await task.close();
  expect((await fetch(balancer.url)).status).toBe(502);
});

async function upgraded(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => socket.destroy());
  socket.write('GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
  const [head] = (await once(socket, 'data')) as [Buffer];
  expect(head.toString()).toContain('101 Switching Protocols');
  return socket;
}

test('an upgraded connection outlives draining and is cut when the delay ends', async () => {
  const task = await startTask();
  await register(task);
  const balancer = await standIn.startBalancer('chat', { spreadMs: 0 });
  await becomes(task, 'healthy');
  const socket = await upgraded(balancer.port);
  const closed = once(socket, 'close');

  await client.send(
    new DeregisterTargetsCommand({ TargetGroupArn: groupArn, Targets: [targetOf(task)] }),
  );
  socket.write('still here');
  const [echo] = (await once(socket, 'data')) as [Buffer];
  expect(echo.toString()).toBe('still here');
  expect((await fetch(balancer.url)).status).toBe(503);

  await closed;
  expect(await healthOf(task)).toMatchObject({ State: 'unused' });
});
