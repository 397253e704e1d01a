import { openPlatform } from '@matsuri/local';
import type { OpenPlatform } from '@matsuri/local';

type Task = ReturnType<OpenPlatform['platform']['aws']['ecs']['tasks']>[number];

/** The platform of `npm start`, and what a test needs to hurt and to check it. */
export interface Stage {
  readonly url: string;
  /** Slows the model down to a reading pace, so that there is time to interfere. */
  slowly(): void;
  /** Stops the task that holds the page's connection, as a deploy does; it drains. */
  stopServingTask(): Promise<void>;
  /** Ends that task with kill -9. */
  killServingTask(): Promise<void>;
  /** Resolves when as many tasks serve as there should be, and none is about to leave. */
  whole(): Promise<void>;
  /** What the model really said in answer to the latest question that it answered to the end. */
  lastAnswer(): string | undefined;
  close(): Promise<void>;
}

const TASKS = 2;
const READING_PACE = {
  firstTokenMs: 100,
  firstTokenMsPer1000Input: 0,
  tokensPerSecond: 30,
  jitter: 0,
};

export async function startStage(): Promise<Stage> {
  const open = await openPlatform({ port: 0, onProgress: () => undefined, log: () => undefined });
  const { aws } = open.platform;
  return {
    url: open.url,
    slowly: () => aws.bedrock.pace(READING_PACE),
    stopServingTask: async () => stopTask(aws.ecs.url, servingTask(open)),
    killServingTask: () => {
      aws.ecs.kill(servingTask(open));
      return Promise.resolve();
    },
    whole: async () => {
      await aws.elasticLoadBalancing.targetGroup('orchestrator')?.healthy(TASKS);
      await noneLeaves(open);
    },
    lastAnswer: () =>
      aws.bedrock
        .ledger()
        .findLast(
          ({ operation, outcome }) => operation === 'ConverseStream' && outcome === 'finished',
        )?.text,
    close: () => open.close(),
  };
}

function servingTask({ platform }: OpenPlatform): string {
  const [port] = platform.programs.chat.tunnels();
  // One that has ended may have had the same port.
  const running = platform.aws.ecs.tasks().filter(({ lastStatus }) => lastStatus === 'RUNNING');
  const task = running.find((each) => each.port === port);
  if (task === undefined) throw new Error('no task holds a connection');
  return task.id;
}

/**
 * A page stays with a task that leaves for some seconds: what it asks meanwhile is answered there, and read on at the
 * task it has moved to by then.
 */
function noneLeaves({ platform }: OpenPlatform): Promise<void> {
  const { ecs } = platform.aws;
  const isLeaving = ({ desiredStatus, lastStatus }: Task): boolean =>
    desiredStatus === 'STOPPED' && lastStatus !== 'STOPPED';
  return new Promise((resolve) => {
    const look = (): void => {
      if (ecs.tasks().some(isLeaving)) return;
      stopHearing();
      resolve();
    };
    const stopHearing = ecs.onTaskChange(look);
    look();
  });
}

/** As the ECS API is asked by a deploy. */
async function stopTask(url: string, task: string): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': 'AmazonEC2ContainerServiceV20141113.StopTask',
    },
    body: JSON.stringify({ cluster: 'matsuri', task, reason: 'a new version' }),
  });
  if (!response.ok) throw new Error(await response.text());
}
