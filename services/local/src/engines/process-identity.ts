import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readlinkSync } from 'node:fs';

/** A process that can be recognised later: pids are reused, a pid with its start time is not. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startedAt: string;
}

const HAS_PROC = existsSync('/proc/self/stat');

/** Who has this pid now; `undefined` when nobody does, or only a zombie waiting to be reaped. */
export function identify(pid: number): ProcessIdentity | undefined {
  const startedAt = HAS_PROC ? startFromProc(pid) : startFromPs(pid);
  return startedAt === undefined ? undefined : { pid, startedAt };
}

/** Whether the very process that was identified still runs. */
export function isRunning(identity: ProcessIdentity): boolean {
  return identify(identity.pid)?.startedAt === identity.startedAt;
}

/**
 * Where pids mean what they mean here: this boot of this kernel, this pid namespace. Containers
 * that share a temporary folder must not judge each other's processes dead.
 */
export function pidScope(): { readonly boot: string; readonly namespace: string } {
  if (!HAS_PROC) return { boot: 'any', namespace: 'any' };
  return {
    boot: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(),
    namespace: readlinkSync('/proc/self/ns/pid'),
  };
}

function startFromProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command name may itself contain spaces and brackets; fields are counted after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, startTicks] = [fields[0], fields[19]];
    return state === 'Z' || state === 'X' ? undefined : startTicks;
  } catch {
    return undefined;
  }
}

function startFromPs(pid: number): string | undefined {
  try {
    const line = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
    const [, state = '', startedAt] = /^(\S+)\s+(.+)$/.exec(line) ?? [];
    return state.startsWith('Z') ? undefined : startedAt;
  } catch {
    return undefined;
  }
}
