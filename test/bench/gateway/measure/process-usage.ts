import { readdirSync, readFileSync } from 'node:fs';

/**
 * CPU time of a process so far, all threads together, in microseconds. Linux counts it per thread in
 * nanoseconds here; `/proc/<pid>/stat` has the same sum in steps of 10 ms, too coarse for a short round.
 */
export function cpuMicros(pid: number): number {
  const nanos = readdirSync(`/proc/${pid}/task`)
    .map((thread) => threadNanos(pid, thread))
    .reduce((sum, value) => sum + value, 0);
  return nanos / 1_000;
}

/** CPU time of a process and everything it started, as servers that fork have it. */
export function treeCpuMicros(pid: number): number {
  return [pid, ...childrenOf(pid)]
    .map((each) => ignoringEnded(() => cpuMicros(each)))
    .reduce((sum, value) => sum + value, 0);
}

/** Memory of a process that is in RAM now. */
export function residentMegabytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1_024;
}

function threadNanos(pid: number, thread: string): number {
  return ignoringEnded(() => {
    const [onCpu] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
    return Number(onCpu);
  });
}

function childrenOf(pid: number): number[] {
  const list = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return list === '' ? [] : list.split(' ').map(Number);
}

/** Threads and helpers come and go between being listed and being read. */
function ignoringEnded(read: () => number): number {
  try {
    return read();
  } catch {
    return 0;
  }
}
