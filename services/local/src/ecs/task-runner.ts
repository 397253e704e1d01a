import { elapsed } from '../clock/clock';
import type { Clock } from '../clock/clock';
import { findFreePort } from '../engines/free-port';
import { driveLogs } from '../log-driver/log-driver';
import type { LogSink } from '../log-driver/log-driver';
import { ended } from './core/task';
import type { StopCode, Task } from './core/task';
import { readUsage } from './process-usage';
import type { TargetRegistration } from './target-registration';
import { startTaskProcess } from './task-process';
import type { Exit, TaskProcess } from './task-process';

export interface TaskDelays {
  /** Network and placement. @default 10_000 */
  readonly provisionMs: number;
  /** Image pull. @default 15_000 */
  readonly pullMs: number;
}

export interface TaskRunnerOptions {
  readonly clock: Clock;
  readonly delays: TaskDelays;
  readonly environmentOf: (task: Task) => Readonly<Record<string, string>>;
  readonly log: LogSink;
  readonly ingestEmf: ((line: string) => boolean) | undefined;
  /** The reason why this task cannot start, when a test has scripted one. */
  readonly startFailure: () => string | undefined;
  readonly portIsTaken: (port: number) => boolean;
  readonly onChange: (task: Task) => void;
}

/** One task on its way from PROVISIONING to STOPPED. */
export interface RunningTask {
  current(): Task;
  /** Decides that the task shall end; what follows is ECS's order of things. */
  stop(code: StopCode, reason: string): void;
  /** Kills the container as the kernel does when it is out of memory. */
  killForMemory(): void;
  /** Kills the container without ceremony. */
  kill(): void;
  readonly finished: Promise<void>;
}

const MEMORY_LOOK_MS = 250;
const MIB = 1_024 * 1_024;

export function runTask(
  initial: Task,
  target: TargetRegistration | undefined,
  options: TaskRunnerOptions,
): RunningTask {
  const { clock, delays } = options;
  const stopRequested = new AbortController();
  let task = initial;
  let program: TaskProcess | undefined;

  const change = (changes: Partial<Task>): void => {
    task = { ...task, ...changes };
    options.onChange(task);
  };
  const end = (code: StopCode, reason: string): void => {
    change(ended(task, code, reason, clock.nowMs()));
    stopRequested.abort();
  };
  const isStopping = (): boolean => stopRequested.signal.aborted;
  const killForMemory = (): void => {
    change({ containerReason: 'OutOfMemoryError: container killed due to memory usage' });
    program?.signal('SIGKILL');
  };

  const start = async (): Promise<TaskProcess | undefined> => {
    await elapsed(clock, delays.provisionMs, stopRequested.signal);
    if (isStopping()) return undefined;
    change({ lastStatus: 'PENDING' });
    await elapsed(clock, delays.pullMs, stopRequested.signal);
    const failure = options.startFailure();
    if (failure !== undefined) end('TaskFailedToStart', failure);
    const { command, workingDirectory, listens, separateHealthPort } = task.definition;
    const port = listens ? await freePort(options.portIsTaken) : undefined;
    const healthPort = separateHealthPort
      ? await freePort((it) => it === port || options.portIsTaken(it))
      : undefined;
    if (isStopping()) return undefined;
    change({ lastStatus: 'ACTIVATING', port, healthPort });
    return startTaskProcess({
      command,
      environment: options.environmentOf(task),
      ...(workingDirectory === undefined ? {} : { workingDirectory }),
    });
  };

  const live = async (running: TaskProcess): Promise<Exit> => {
    change({ lastStatus: 'RUNNING', pid: running.pid, startedAtMs: clock.nowMs() });
    const logged = driveLogs(running, {
      source: task.id,
      sink: options.log,
      ...(options.ingestEmf === undefined ? {} : { ingestEmf: options.ingestEmf }),
    });
    if (task.port !== undefined) target?.register(task.port, task.healthPort);
    const stopWatching = watchMemory(task, running, killForMemory);
    await Promise.race([running.exited, aborted(stopRequested.signal)]);
    const exit = isStopping() ? await wind(running) : await running.exited;
    stopWatching();
    await logged;
    return exit;
  };

  const wind = async (running: TaskProcess): Promise<Exit> => {
    change({ lastStatus: 'DEACTIVATING' });
    if (task.port !== undefined && target !== undefined) {
      target.deregister(task.port);
      await Promise.race([target.drained(task.port), running.exited]);
    }
    change({ lastStatus: 'STOPPING' });
    running.signal('SIGTERM');
    const cancel = clock.after(task.definition.stopTimeoutMs, () => running.signal('SIGKILL'));
    const exit = await running.exited;
    cancel();
    return exit;
  };

  const lifetime = async (): Promise<void> => {
    program = await start();
    if (program !== undefined) {
      const exit = await live(program);
      end('EssentialContainerExited', 'Essential container in task exited');
      if (task.port !== undefined) target?.deregister(task.port);
      change({ exitCode: exitCode(exit) });
    }
    change({ lastStatus: 'DEPROVISIONING' });
    change({ lastStatus: 'STOPPED', stoppedAtMs: clock.nowMs() });
  };

  const finished = lifetime();
  return {
    current: () => task,
    stop: end,
    killForMemory,
    kill: () => program?.signal('SIGKILL'),
    finished,
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

async function freePort(isTaken: (port: number) => boolean): Promise<number> {
  for (;;) {
    const port = await findFreePort();
    if (!isTaken(port)) return port;
  }
}

function watchMemory(task: Task, running: TaskProcess, onExcess: () => void): () => void {
  const { memoryMiB } = task.definition;
  const { pid } = running;
  if (memoryMiB === undefined || pid === undefined) return () => undefined;
  const timer = setInterval(() => {
    void readUsage(pid).then((usage) => {
      if (usage !== undefined && usage.residentBytes > memoryMiB * MIB) onExcess();
    });
  }, MEMORY_LOOK_MS);
  return () => clearInterval(timer);
}

const SIGNAL_EXIT_CODES: Partial<Record<NodeJS.Signals, number>> = { SIGKILL: 137, SIGTERM: 143 };

function exitCode({ code, signal }: Exit): number {
  return code ?? (signal === undefined ? undefined : SIGNAL_EXIT_CODES[signal]) ?? 1;
}
