import { endRun } from './end-run';
import { EngineStartError } from './errors';
import type { Launch, SupervisorReport } from './launch';
import { createRunFolder } from './run-folder';
import { openSupervisor } from './supervisor-channel';

/** An engine under a supervisor: it ends with us, however we end, and its folder goes with it. */
export interface SupervisedEngine {
  readonly folder: string;
  /** The engine's process, while it runs. */
  readonly pid: number | undefined;
  /** Runs a command to its end; throws unless it ends well. */
  run(launch: Launch): Promise<void>;
  /** Launches the engine; resolves when it says that it is ready. */
  start(launch: Launch): Promise<void>;
  /** Resolves when the signal has been sent. */
  signal(signal: NodeJS.Signals): Promise<void>;
  /** Signals, and resolves when the engine has ended. */
  end(signal: NodeJS.Signals): Promise<void>;
  /** Ends engine and supervisor and deletes the folder. */
  close(): Promise<void>;
}

/** Makes a run folder and a supervisor for one engine, which is not started yet. */
export function superviseEngine(kind: string): SupervisedEngine {
  const folder = createRunFolder(kind);
  const supervisor = openSupervisor(kind, folder.path);
  if (supervisor.pid !== undefined) folder.note({ supervisorPid: supervisor.pid });

  let pid: number | undefined;
  supervisor.onReport((report) => {
    if (report.event === 'exited') pid = undefined;
    if (report.event !== 'spawned') return;
    pid = report.pid;
    folder.note({ enginePid: report.pid });
  });

  return {
    folder: folder.path,
    get pid() {
      return pid;
    },
    async run(launch) {
      const report = await supervisor.ask({ ask: 'start', launch }, 'exited');
      if (report.event === 'exited' && report.code !== 0) throw endedEarly(kind, report);
    },
    async start(launch) {
      if (launch.container !== undefined) folder.note({ container: launch.container });
      const report = await supervisor.ask({ ask: 'start', launch }, 'ready');
      if (report.event === 'exited') throw endedEarly(kind, report);
    },
    async signal(signal) {
      if (pid !== undefined) await supervisor.ask({ ask: 'signal', signal }, 'signalled');
    },
    async end(signal) {
      if (pid !== undefined) await supervisor.ask({ ask: 'signal', signal }, 'exited');
    },
    async close() {
      await supervisor.close();
      // Nothing is left to do here, unless somebody killed the supervisor.
      await endRun(folder.path);
    },
  };
}

function endedEarly(
  engine: string,
  { code, signal, log }: Extract<SupervisorReport, { event: 'exited' }>,
): EngineStartError {
  return new EngineStartError(engine, `ended too early (${signal ?? `exit code ${code}`})`, log);
}
