import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** The core that the measured server has to itself while it is measured. */
export const SERVER_CORE = '0';

/** The cores of everybody else: load generator, model, Redis, PostgreSQL. */
function otherCores(): string {
  const last = availableParallelism() - 1;
  return last === 1 ? '1' : `1-${last}`;
}

/**
 * Moves this process off the server's core; what it starts from here on inherits that. Throws where cores
 * cannot be kept apart: CPU time per request would then measure the neighbours too.
 */
export function leaveServerCore(): void {
  if (process.platform !== 'linux') {
    throw new Error('This benchmark reads /proc and pins processes to cores: it runs on Linux.');
  }
  if (availableParallelism() < 2) {
    throw new Error('This benchmark needs two cores: one for the server, one for its load.');
  }
  try {
    const args = ['--all-tasks', '--pid', '--cpu-list', otherCores(), String(process.pid)];
    execFileSync('taskset', args, { stdio: 'pipe' });
  } catch (cause) {
    throw new Error('taskset does not work here: install util-linux.', { cause });
  }
}
