import type { TaskDefinition } from './task-definition';

/**
 * A task's life:
 *
 *   PROVISIONING → PENDING → ACTIVATING → RUNNING → DEACTIVATING → STOPPING → DEPROVISIONING → STOPPED
 *
 * `desiredStatus` turns STOPPED when anything decides that the task shall end; `lastStatus` follows.
 */
export type TaskStatus =
  | 'PROVISIONING'
  | 'PENDING'
  | 'ACTIVATING'
  | 'RUNNING'
  | 'DEACTIVATING'
  | 'STOPPING'
  | 'DEPROVISIONING'
  | 'STOPPED';

export type StopCode =
  'EssentialContainerExited' | 'UserInitiated' | 'ServiceSchedulerInitiated' | 'TaskFailedToStart';

export interface Task {
  readonly id: string;
  readonly definition: TaskDefinition;
  /** Who asked for it: a service's deployment, or `startedBy` of RunTask. */
  readonly startedBy: string | undefined;
  /** `service:<name>` or `family:<name>`. */
  readonly group: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly tags: readonly { readonly key: string; readonly value: string }[];
  readonly lastStatus: TaskStatus;
  readonly desiredStatus: 'RUNNING' | 'STOPPED';
  readonly createdAtMs: number;
  readonly startedAtMs: number | undefined;
  /** When it was decided that the task shall end. */
  readonly stoppingAtMs: number | undefined;
  readonly stoppedAtMs: number | undefined;
  readonly stopCode: StopCode | undefined;
  readonly stoppedReason: string | undefined;
  readonly port: number | undefined;
  /** Undefined: health is answered on `port`. */
  readonly healthPort: number | undefined;
  readonly pid: number | undefined;
  readonly exitCode: number | undefined;
  /** What the container, not the task, says of its end, such as being out of memory. */
  readonly containerReason: string | undefined;
}

export type NewTask = Pick<
  Task,
  'id' | 'definition' | 'startedBy' | 'group' | 'environment' | 'tags'
>;

export function newTask(wanted: NewTask, nowMs: number): Task {
  return {
    ...wanted,
    lastStatus: 'PROVISIONING',
    desiredStatus: 'RUNNING',
    createdAtMs: nowMs,
    startedAtMs: undefined,
    stoppingAtMs: undefined,
    stoppedAtMs: undefined,
    stopCode: undefined,
    stoppedReason: undefined,
    port: undefined,
    healthPort: undefined,
    pid: undefined,
    exitCode: undefined,
    containerReason: undefined,
  };
}

/** The first decision to end a task stands; later ones change nothing. */
export function ended(task: Task, stopCode: StopCode, stoppedReason: string, nowMs: number): Task {
  if (task.desiredStatus === 'STOPPED') return task;
  return { ...task, desiredStatus: 'STOPPED', stopCode, stoppedReason, stoppingAtMs: nowMs };
}

export function isPending({ lastStatus }: Task): boolean {
  return ['PROVISIONING', 'PENDING', 'ACTIVATING'].includes(lastStatus);
}

/** The tasks a listing showed at some earlier moment: how a stale answer looks. */
export function listedAt(
  tasks: readonly Task[],
  desiredStatus: Task['desiredStatus'],
  atMs: number,
): readonly Task[] {
  return tasks.filter(({ createdAtMs, stoppingAtMs }) => {
    if (createdAtMs > atMs) return false;
    const ending = stoppingAtMs !== undefined && stoppingAtMs <= atMs;
    return ending === (desiredStatus === 'STOPPED');
  });
}
