import { DescribeTasksCommand, ECSClient, RunTaskCommand } from '@aws-sdk/client-ecs';

const ecs = new ECSClient();
const { CLUSTER, TASK_DEFINITION, SUBNETS = '', SECURITY_GROUP = '' } = process.env;
const POLL_MS = 5_000;

/** Starts the task, waits for its end, and throws unless it ended well: CloudFormation then goes no further. */
export async function handler(): Promise<void> {
  const arn = await start();
  for (;;) {
    const { tasks: [task] = [] } = await ecs.send(
      new DescribeTasksCommand({ cluster: CLUSTER, tasks: [arn] }),
    );
    if (task?.lastStatus === 'STOPPED') {
      const exitCode = task.containers?.[0]?.exitCode;
      if (exitCode === 0) return;
      throw new Error(`${arn} ended with ${exitCode}: ${task.stoppedReason}. Its log says why.`);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
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
