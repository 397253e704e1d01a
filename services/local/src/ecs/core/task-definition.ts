/** A program as ECS would run it: one container per task. */
export interface TaskDefinition {
  readonly family: string;
  readonly revision: number;
  readonly containerName: string;
  /** Program and arguments; the first is found on the PATH. */
  readonly command: readonly string[];
  readonly workingDirectory?: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Whether the task gets a free port in PORT. */
  readonly listens: boolean;
  /** Whether it answers health checks on a port of its own, given in HEALTH_PORT. */
  readonly separateHealthPort: boolean;
  /** 1,024 units are one virtual CPU. */
  readonly cpuUnits: number;
  /** Hard limit: a task above it is killed. Undefined means no limit. */
  readonly memoryMiB: number | undefined;
  readonly stopTimeoutMs: number;
}

/** What must be said of a task definition; the rest has ECS's defaults. */
export type TaskDefinitionOptions = Pick<TaskDefinition, 'family' | 'command'> &
  Partial<Omit<TaskDefinition, 'family' | 'command' | 'revision'>>;

export function taskDefinition(options: TaskDefinitionOptions, revision: number): TaskDefinition {
  return {
    containerName: 'app',
    environment: {},
    listens: true,
    separateHealthPort: false,
    cpuUnits: 1_024,
    memoryMiB: undefined,
    stopTimeoutMs: 30_000,
    ...options,
    revision,
  };
}
