import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { isRunning, pidScope } from './process-identity';
import type { ProcessIdentity } from './process-identity';
import { readRunRecord } from './run-folder';

const GRACE_MS = 5_000;
const POLL_MS = 20;

/** Ends the engine recorded in a run folder, if it is still that very process, and deletes the folder. */
export async function endRun(path: string): Promise<void> {
  const record = readRunRecord(path);
  if (record?.container !== undefined) removeContainer(record.container);
  if (record?.engine !== undefined && record.scope.boot === pidScope().boot) {
    await endProcess(record.engine);
  }
  rmSync(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}

/** SIGQUIT first: PostgreSQL then ends its children and gives back its shared memory. */
async function endProcess(engine: ProcessIdentity): Promise<void> {
  signal(engine, 'SIGQUIT');
  signal(engine, 'SIGCONT'); // a paused engine hears nothing else
  for (let waitedMs = 0; waitedMs < GRACE_MS && isRunning(engine); waitedMs += POLL_MS) {
    await delay(POLL_MS);
  }
  signal(engine, 'SIGKILL');
}

function signal(identity: ProcessIdentity, name: NodeJS.Signals): void {
  if (!isRunning(identity)) return;
  try {
    process.kill(identity.pid, name);
  } catch {
    // It ended between the look and the signal.
  }
}

function removeContainer(name: string): void {
  try {
    execFileSync('docker', ['rm', '--force', name], { stdio: 'ignore' });
  } catch {
    // Docker itself is gone, and its containers with it.
  }
}
