import {
  DescribeTargetHealthCommand,
  type ElasticLoadBalancingV2Client,
  type TargetHealthStateEnum,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { setTimeout as pause } from 'node:timers/promises';

/** A task as its load balancer knows it. */
interface OwnTarget {
  readonly targetGroupArn: string;
  readonly address: string;
  readonly port: number;
}

export interface TargetWatchOptions {
  readonly client: Pick<ElasticLoadBalancingV2Client, 'send'>;
  readonly target: OwnTarget;
  readonly everyMs: number;
  readonly random?: () => number;
  readonly onProblem: (error: unknown) => void;
}

export interface TargetWatch {
  /** Resolves when the load balancer drains this task: ECS tells the task itself only after that is over. */
  readonly draining: Promise<void>;
  /** Resolves when the load balancer says that it sends no requests here. */
  whenUnrouted(): Promise<void>;
  stop(): void;
}

/** Asks the load balancer about this task, every few seconds, jittered so that tasks do not ask together. */
export function watchOwnTarget(options: TargetWatchOptions): TargetWatch {
  const { client, target, everyMs, random = Math.random, onProblem } = options;
  const stop = new AbortController();
  const draining = Promise.withResolvers<undefined>();
  let unrouted = Promise.withResolvers<undefined>();
  let state: TargetHealthStateEnum | undefined;
  let isComplaining = false;

  const isUnrouted = (): boolean =>
    state !== undefined && state !== 'healthy' && state !== 'initial';

  const look = async (): Promise<void> => {
    const { targetGroupArn: TargetGroupArn, address: Id, port: Port } = target;
    const command = new DescribeTargetHealthCommand({ TargetGroupArn, Targets: [{ Id, Port }] });
    const answer = await client.send(command, { abortSignal: stop.signal });
    const before = state;
    state = answer.TargetHealthDescriptions?.[0]?.TargetHealth?.State;
    // A target that was there and is not any more was drained between two looks.
    const wasThere = before !== undefined && before !== 'unused';
    if (state === 'draining' || (wasThere && state === 'unused')) {
      draining.resolve(undefined);
    }
    if (isUnrouted()) {
      unrouted.resolve(undefined);
      unrouted = Promise.withResolvers();
    }
  };

  const isStopped = (): boolean => stop.signal.aborted;
  const run = async (): Promise<void> => {
    while (!isStopped()) {
      try {
        await look();
        isComplaining = false;
      } catch (error) {
        // Said once: a task without this knowledge still drains on SIGTERM.
        if (!isComplaining && !isStopped()) onProblem(error);
        isComplaining = true;
      }
      const waitMs = everyMs * (0.8 + 0.4 * random());
      await pause(waitMs, undefined, { signal: stop.signal, ref: false }).catch(() => undefined);
    }
  };
  void run();

  return {
    draining: draining.promise,
    whenUnrouted: () => (isUnrouted() ? Promise.resolve() : unrouted.promise),
    stop: () => stop.abort(),
  };
}
