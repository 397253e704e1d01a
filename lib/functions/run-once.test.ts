import { listenOnLoopback, scaledClock, startEcsStandIn } from '@matsuri/local';
import type { EcsStandIn, Listening } from '@matsuri/local';

import type { handler as Handler } from './run-once';

const ENOUGH_TIME = { getRemainingTimeInMillis: () => 600_000 };

const VARIABLES = {
  AWS_REGION: 'ap-northeast-1',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  CLUSTER: 'matsuri',
  TASK_DEFINITION: 'migrate',
  SUBNETS: 'subnet-1,subnet-2',
  SECURITY_GROUP: 'sg-1',
  CONTAINER: 'migrate',
  LOG_GROUP: 'lines-of-migrate',
  POLL_MS: '10',
};

const before = { ...process.env };

afterEach(() => {
  process.env = { ...before };
});

/** The function as Lambda loads it: it reads its variables once. */
async function loaded(endpoint: string): Promise<typeof Handler> {
  jest.resetModules();
  process.env = { ...before, ...VARIABLES, AWS_ENDPOINT_URL_ECS: endpoint };
  return (await import('./run-once')).handler;
}

describe('a task', () => {
  let ecs: EcsStandIn | undefined;

  afterEach(() => ecs?.close());

  const startWith = async (script: string): Promise<EcsStandIn> => {
    ecs = await startEcsStandIn({
      clock: scaledClock({ timeScale: 60 }),
      delays: { provisionMs: 0, pullMs: 0 },
      taskDefinitions: [
        {
          family: 'migrate',
          containerName: 'migrate',
          command: [process.execPath, '-e', script],
          listens: false,
        },
      ],
    });
    return ecs;
  };

  test('that ends well is waited for, and started once', async () => {
    const cluster = await startWith('setTimeout(() => {}, 50)');
    const run = await loaded(cluster.url);
    await run({}, ENOUGH_TIME);
    expect(cluster.tasks()).toHaveLength(1);
  });

  test('that ends badly is an error with its exit code and its log group', async () => {
    const run = await loaded((await startWith('process.exit(3)')).url);
    await expect(run({}, ENOUGH_TIME)).rejects.toThrow(/ended with 3: .*lines-of-migrate/);
  });

  test('that never began is an error that says why', async () => {
    const { url, script } = await startWith('');
    script.failStarts('CannotPullContainerError: no such image');
    const run = await loaded(url);
    await expect(run({}, ENOUGH_TIME)).rejects.toThrow(/no exit code: .*CannotPullContainerError/);
  });

  test('that finds no place is an error with the reason', async () => {
    const { url, script } = await startWith('');
    script.refusePlacement('RESOURCE:ENI');
    const run = await loaded(url);
    await expect(run({}, ENOUGH_TIME)).rejects.toThrow(/not started: .*RESOURCE:ENI/);
  });

  test('whose start was done but not answered is not started twice', async () => {
    const cluster = await startWith('');
    cluster.faults.inject('RunTask', { kind: 'reset-after-success' });
    const run = await loaded(cluster.url);
    await run({}, ENOUGH_TIME);
    expect(cluster.tasks()).toHaveLength(1);
  });

  test('that takes too long is an error before Lambda cuts the function off', async () => {
    const run = await loaded((await startWith('setInterval(() => {}, 1000)')).url);
    const left = [600_000, 300_000, 14_000];
    const invocation = { getRemainingTimeInMillis: () => left.shift() ?? 0 };
    await expect(run({}, invocation)).rejects.toThrow(/still runs.*lines-of-migrate/);
  });
});

describe('a container that AWS put beside ours', () => {
  let ecs: Listening;

  afterEach(() => ecs.close());

  const guard = { name: 'aws-guardduty-agent', exitCode: 0 };

  test.each([
    { what: 'does not hide our failure', containers: [guard, { name: 'migrate', exitCode: 1 }] },
    { what: 'does not stand for ours', containers: [guard] },
  ])('$what', async ({ containers }) => {
    const taskArn = 'arn:aws:ecs:ap-northeast-1:000000000000:task/matsuri/1';
    ecs = await listenOnLoopback((_request, response) => {
      response.setHeader('content-type', 'application/x-amz-json-1.1');
      response.end(JSON.stringify({ tasks: [{ taskArn, lastStatus: 'STOPPED', containers }] }));
    });
    const run = await loaded(ecs.url);
    await expect(run({}, ENOUGH_TIME)).rejects.toThrow(/ended with/);
  });
});
