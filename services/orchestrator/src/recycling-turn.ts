import { setTimeout as pause } from 'node:timers/promises';
import { leaseKeys } from '@matsuri/contract';
import { acquireLease } from '@matsuri/resilience';
import type { Redis } from 'ioredis';

export interface RecyclingTurnOptions {
  readonly redis: Pick<Redis, 'eval' | 'evalsha'>;
  readonly taskId: string;
  /** Until a task that goes has gone, and another serves in its place. */
  readonly absentMs: number;
  readonly onProblem: (error: unknown) => void;
  /** How soon Redis is asked again after it could not be. @default 30000 */
  readonly retryMs?: number;
}

const RETRY_MS = 30_000;
const LEAST_WAIT_MS = 100;

/**
 * Waits for a task's turn to recycle, which one task at a time has: those started together have served their time
 * together, and a fleet that goes at once is an outage. The turn is not given back, it runs out when the successor can be
 * expected. While Redis cannot be asked nobody goes: there is no hurry, and it is a bad moment. Resolves with `false`
 * when it was told to wait no longer.
 */
export async function takeRecyclingTurn(
  options: RecyclingTurnOptions,
  signal: AbortSignal,
): Promise<boolean> {
  const isOver = (): boolean => signal.aborted;
  while (!isOver()) {
    const waitMs = await tryTurn(options);
    if (waitMs === 0) return !isOver();
    await pause(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
  return false;
}

/** Zero: it is this task's turn; else when to ask again. */
async function tryTurn(options: RecyclingTurnOptions): Promise<number> {
  const { redis, taskId: owner, absentMs: ttlMs, onProblem, retryMs = RETRY_MS } = options;
  try {
    const lease = await acquireLease({ redis, key: leaseKeys.recycling(), owner, ttlMs });
    return lease.kind === 'acquired' ? 0 : Math.max(LEAST_WAIT_MS, lease.freeInMs);
  } catch (error) {
    onProblem(error);
    return retryMs;
  }
}
