import { DescribeTasksCommand, ECSClient, RunTaskCommand } from '@aws-sdk/client-ecs';
import type { Task } from '@aws-sdk/client-ecs';

interface Invocation {
  getRemainingTimeInMillis(): number;
}

const ecs = new ECSClient();
const { CLUSTER, TASK_DEFINITION, SUBNETS = '', SECURITY_GROUP = '' } = process.env;
const { CONTAINER, LOG_GROUP } = process.env;
const POLL_MS = Number(process.env['POLL_MS'] ?? 5_000);
const LAST_WORDS_MS = 15_000;

/** Starts the task, waits for its end, and throws unless it ended well: CloudFormation then goes no further. */
export async function handler(_event: unknown, invocation: Invocation): Promise<void> {
  const arn = await start();
  // Who is cut off by Lambda says nothing, and whoever waits for the answer may call again: a second task.
  while (invocation.getRemainingTimeInMillis() > LAST_WORDS_MS) {
    const { tasks: [task] = [] } = await ecs.send(
      new DescribeTasksCommand({ cluster: CLUSTER, tasks: [arn] }),
    );
    if (task?.lastStatus === 'STOPPED') {
      judge(arn, task);
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(`${arn} takes too long and still runs. Its log group: ${LOG_GROUP}`);
}

/** By name: AWS may put a container of its own beside ours. */
function judge(arn: string, { containers = [], stoppedReason }: Task): void {
  const ours = containers.find(({ name }) => name === CONTAINER);
  if (ours?.exitCode === 0) return;
  const code = ours?.exitCode ?? 'no exit code';
  const why = [stoppedReason, ours?.reason].filter(Boolean).join('; ');
  throw new Error(`${arn} ended with ${code}: ${why}. Its log group: ${LOG_GROUP}`);
}

async function start(): Promise<string> {
  const { tasks: [task] = [], failures = [] } = await ecs.send(
    new RunTaskCommand({
      cluster: CLUSTER,
      taskDefinition: TASK_DEFINITION,
      launchType: 'FARGATE',
      networkConfiguration: {
        awsvpcConfiguration: { subnets: SUBNETS.split(','), securityGroups: [SECURITY_GROUP] },
      },
    }),
  );
  if (task?.taskArn !== undefined) return task.taskArn;
  throw new Error(`The task was not started: ${JSON.stringify(failures)}`);
}
