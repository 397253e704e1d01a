import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { z } from 'zod';
import { EngineStartError } from './errors';
import type { SupervisorReport, SupervisorRequest } from './launch';

const DEADLINE_MS = 60_000;

const reportSchema: z.ZodType<SupervisorReport> = z.discriminatedUnion('event', [
  z.object({ event: z.literal('spawned'), pid: z.int().positive() }),
  z.object({ event: z.literal('ready') }),
  z.object({ event: z.literal('signalled') }),
  z.object({
    event: z.literal('exited'),
    code: z.int().nullable(),
    signal: z.string().nullable(),
    log: z.string(),
  }),
]);

const SUPERVISOR_GONE: SupervisorReport = {
  event: 'exited',
  code: null,
  signal: null,
  log: 'its supervisor has ended',
};

/** The owner's end of the line to a supervisor; the line itself is what keeps the engine alive. */
export interface SupervisorChannel {
  readonly pid: number | undefined;
  onReport(listener: (report: SupervisorReport) => void): void;
  /** Asks, and resolves with the report waited for, or with the engine's exit if that comes first. */
  ask(
    request: SupervisorRequest,
    answer: 'ready' | 'signalled' | 'exited',
  ): Promise<SupervisorReport>;
  /** Lets go of the line; resolves when the supervisor has ended. */
  close(): Promise<void>;
}

/** Starts the supervisor of the engine in this folder. */
export function openSupervisor(kind: string, folder: string): SupervisorChannel {
  const supervisor = forkSupervisor(folder);
  const listeners = new Set<(report: SupervisorReport) => void>();
  const hear = (report: SupervisorReport): void => {
    for (const listener of [...listeners]) listener(report);
  };
  supervisor.on('message', (message) => hear(reportSchema.parse(message)));
  supervisor.once('exit', () => hear(SUPERVISOR_GONE));

  return {
    pid: supervisor.pid,
    onReport: (listener) => void listeners.add(listener),
    ask: (request, answer) =>
      new Promise((resolve, reject) => {
        if (!supervisor.connected) {
          resolve(SUPERVISOR_GONE);
          return;
        }
        const listener = (report: SupervisorReport): void => {
          if (report.event !== answer && report.event !== 'exited') return;
          clearTimeout(deadline);
          listeners.delete(listener);
          resolve(report);
        };
        // This timer also keeps our event loop alive while we wait; the channel does not.
        const deadline = setTimeout(() => {
          listeners.delete(listener);
          reject(new EngineStartError(kind, `was not "${answer}" in ${DEADLINE_MS / 1000} s`, ''));
        }, DEADLINE_MS);
        listeners.add(listener);
        supervisor.send(request);
      }),
    close: () => hangUp(supervisor),
  };
}

function forkSupervisor(folder: string): ChildProcess {
  const supervisor = fork(join(__dirname, 'supervisor.mts'), [folder], {
    // Plain Node, whatever loaders or inspectors we run under ourselves.
    env: { ...process.env, NODE_OPTIONS: '' },
    execArgv: [],
    // Ctrl-C goes to the whole foreground group; the supervisor answers to its owner only.
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  supervisor.unref();
  supervisor.channel?.unref();
  return supervisor;
}

function hangUp(supervisor: ChildProcess): Promise<void> {
  if (supervisor.exitCode !== null || supervisor.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    supervisor.ref();
    supervisor.once('exit', () => resolve());
    if (supervisor.connected) supervisor.disconnect();
  });
}
