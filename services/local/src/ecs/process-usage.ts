import { readFile } from 'node:fs/promises';

export interface ProcessUsage {
  readonly cpuSeconds: number;
  readonly residentBytes: number;
}

const TICKS_PER_SECOND = 100;
const PAGE_BYTES = 4_096;

/** CPU and memory of a process as Linux counts them; undefined elsewhere or once it is gone. */
export async function readUsage(pid: number): Promise<ProcessUsage | undefined> {
  try {
    const [stat, statm] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile(`/proc/${pid}/statm`, 'utf8'),
    ]);
    // The name in parentheses may hold spaces; the numbers begin after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(fields[11]) + Number(fields[12]);
    return {
      cpuSeconds: ticks / TICKS_PER_SECOND,
      residentBytes: Number(statm.split(' ')[1]) * PAGE_BYTES,
    };
  } catch {
    return undefined;
  }
}
