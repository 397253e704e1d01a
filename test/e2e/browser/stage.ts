import { openPlatform } from '@matsuri/local';
import type { OpenPlatform } from '@matsuri/local';

/** The platform of `npm start`, and what a test needs to hurt and to check it. */
export interface Stage {
  readonly url: string;
  /** Slows the model down to a reading pace, so that there is time to interfere. */
  slowly(): void;
  /** Stops the task that holds the page's connection, as a deploy does; it drains. */
  stopServingTask(): Promise<void>;
  /** Ends that task with kill -9. */
  killServingTask(): Promise<void>;
  /** Resolves when as many tasks serve as there should be. */
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
    whole: async () => aws.elasticLoadBalancing.targetGroup('orchestrator')?.healthy(TASKS),
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
