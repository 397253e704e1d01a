import { createGroupCommit, type BatchResult } from '../batching/group-commit';
import { systemTimers, type Timers } from '../batching/timers';
import type {
  CompletionTask,
  FinishOutcome,
  NewCompletionTask,
  TaskEnding,
  TaskOwner,
  TaskSweepResult,
} from './completion-task';
import { taskStatements, type FoundTask, type TaskPool, type TaskTimes } from './task-statements';

export interface CompletionTasksOptions extends TaskTimes {
  readonly pool: TaskPool;
  /** This process in `ledger_owners`, where its ledger keeps it alive. */
  readonly ownerId: string;
  /** @default real time */
  readonly timers?: Timers;
}

/**
 * Completions that are fetched later, each with exactly one ending. Statements go one after the other, in batches:
 * however many callers poll, they take one connection, and the ledger keeps the rest.
 */
export interface CompletionTasks {
  /** Resolves when the task is durable. */
  begin(task: NewCompletionTask): Promise<void>;
  finish(taskId: string, ending: TaskEnding): Promise<FinishOutcome>;
  /** `undefined`: there is no such task, it has expired, or it is somebody else's. */
  find(owner: TaskOwner, taskId: string): Promise<CompletionTask | undefined>;
  /** Ends what dead processes left pending, and takes away what has expired. */
  sweep(): Promise<TaskSweepResult>;
  close(): Promise<void>;
}

type Item =
  | { readonly kind: 'begin'; readonly task: NewCompletionTask }
  | { readonly kind: 'finish'; readonly taskId: string; readonly ending: TaskEnding }
  | { readonly kind: 'find'; readonly taskId: string };

// Results may be long.
const MAX_BATCH = 16;
const MAX_WAITING = 1_000;
const PATIENCE_MS = 2_000;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Opens the tasks of one process. */
export function createCompletionTasks(options: CompletionTasksOptions): CompletionTasks {
  const statements = taskStatements(options.pool, options.ownerId, options);

  const write = async (items: readonly Item[]): Promise<BatchResult<FoundTask | boolean>[]> => {
    const beginning = items.flatMap((item) => (item.kind === 'begin' ? [item.task] : []));
    const ending = items.filter((item) => item.kind === 'finish');
    const wanted = items.flatMap((item) => (item.kind === 'find' ? [item.taskId] : []));
    if (beginning.length > 0) await statements.begin(beginning);
    const finished = ending.length > 0 ? await statements.finish(ending) : new Set<string>();
    const found = wanted.length > 0 ? await statements.find(wanted) : new Map<string, FoundTask>();
    return items.map((item) => {
      if (item.kind === 'find') return { ok: found.get(item.taskId) ?? false };
      return { ok: item.kind === 'begin' || finished.has(item.taskId) };
    });
  };

  const lane = createGroupCommit<Item, FoundTask | boolean>({
    write,
    maxBatch: MAX_BATCH,
    maxWaiting: MAX_WAITING,
    maxInFlight: 1,
    timers: options.timers ?? systemTimers,
  });

  return {
    async begin(task) {
      await lane.submit({ kind: 'begin', task }, PATIENCE_MS);
    },
    async finish(taskId, ending) {
      const finished = await lane.submit({ kind: 'finish', taskId, ending }, PATIENCE_MS);
      return finished === true ? 'finished' : 'ended-before';
    },
    async find({ tenantId, userId }, taskId) {
      if (!UUID.test(taskId)) return undefined;
      const found = await lane.submit({ kind: 'find', taskId }, PATIENCE_MS);
      if (typeof found === 'boolean') return undefined;
      return found.tenantId === tenantId && found.userId === userId ? found.task : undefined;
    },
    sweep: async () => ({
      lost: await statements.loseAll(),
      removed: await statements.removeExpired(),
    }),
    close: () => lane.close(),
  };
}
