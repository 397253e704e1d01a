/**
 * Stands between a program and one engine it started, so that the engine cannot outlive the program.
 * The channel from the owner is the lifeline: the kernel closes it however the owner ends, kill -9
 * included; then the engine is ended and its folder deleted. Plain Node runs this file (it only strips
 * the types), with nothing imported at run time that could fail to load.
 *
 * Usage: node supervisor.mts <folder to delete at the end>
 */
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import type { Launch, SupervisorReport, SupervisorRequest } from './launch';

const GRACE_MS = 5_000;
const LOG_TAIL_CHARACTERS = 8_192;

const folder = process.argv[2] ?? '';
let engine: { readonly process: ChildProcess; readonly launch: Launch } | undefined;
let ending = false;

function report(message: SupervisorReport): void {
  if (process.connected) process.send?.(message);
}

function start(launch: Launch): void {
  const child = spawn(launch.command, launch.args, {
    cwd: folder,
    env: launch.env,
    argv0: launch.argv0,
    ...launch.user,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  engine = { process: child, launch };
  if (child.pid !== undefined) report({ event: 'spawned', pid: child.pid });

  let log = '';
  let ready = false;
  const listen = (chunk: string): void => {
    log = (log + chunk).slice(-LOG_TAIL_CHARACTERS);
    if (ready || launch.readyText === undefined || !log.includes(launch.readyText)) return;
    ready = true;
    report({ event: 'ready' });
  };
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', listen);

  child.once('error', (error) => {
    if (child.pid !== undefined) return;
    engine = undefined;
    report({ event: 'exited', code: null, signal: null, log: error.message });
  });
  child.once('close', (code, signal) => {
    if (child.pid === undefined) return;
    engine = undefined;
    report({ event: 'exited', code, signal, log });
  });
}

function signalEngine(signal: NodeJS.Signals): void {
  if (engine === undefined) return;
  const { container } = engine.launch;
  if (container === undefined) engine.process.kill(signal);
  else spawnSync('docker', ['kill', '--signal', signal, container], { stdio: 'ignore' });
}

async function endEverything(): Promise<void> {
  if (ending) return;
  ending = true;
  if (engine !== undefined) {
    const { process: child, launch } = engine;
    const closed = once(child, 'close');
    signalEngine(launch.stopSignal);
    signalEngine('SIGCONT'); // a paused engine hears nothing else
    const impatience = setTimeout(() => {
      signalEngine('SIGKILL');
      child.kill('SIGKILL');
    }, GRACE_MS);
    await closed;
    clearTimeout(impatience);
    if (launch.container !== undefined) spawnSync('docker', ['rm', '--force', launch.container]);
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  process.exit(0);
}

process.on('message', (request: SupervisorRequest) => {
  if (request.ask === 'start') start(request.launch);
  else signalEngine(request.signal);
  if (request.ask === 'signal') report({ event: 'signalled' });
});
process.on('disconnect', () => void endEverything());
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  process.on(signal, () => void endEverything());
}
