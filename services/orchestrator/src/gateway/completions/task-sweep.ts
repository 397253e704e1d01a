import type { CompletionTasks } from '@matsuri/database';
import type { Logger } from '@matsuri/telemetry';

export interface TaskSweepOptions {
  readonly tasks: Pick<CompletionTasks, 'sweep'>;
  readonly everySeconds: number;
  readonly log: Pick<Logger, 'info' | 'debug'>;
  readonly random?: () => number;
}

/** Ends, every now and then, tasks that dead processes left pending, and removes those that have expired. */
export function sweepTasksRegularly(options: TaskSweepOptions): { stop(): void } {
  const { tasks, everySeconds, log, random = Math.random } = options;
  let timer: NodeJS.Timeout;

  const sweep = async (): Promise<void> => {
    try {
      const { lost, removed } = await tasks.sweep();
      if (lost > 0) log.info('tasks of dead processes ended', { lost });
      log.debug('expired tasks removed', { removed });
    } catch (err) {
      log.debug('task sweep', { err });
    }
    arm();
  };
  // Anywhere in the period, so that tasks take turns by themselves.
  const arm = (): void => {
    timer = setTimeout(() => void sweep(), everySeconds * 1_000 * (0.5 + random()));
    timer.unref();
  };
  arm();
  return { stop: () => clearTimeout(timer) };
}
