import { knownSizes } from '../src/core/traffic/request-sizes';
import { workloadOf, type Workload } from '../src/core/traffic/workload';

/** Output tokens that hold a slot for about so many seconds. */
function lasting(seconds: number) {
  return { inputTokens: 0, outputTokens: (seconds - 0.3) * 60 };
}

export interface TinyWorkload {
  readonly arrivals: readonly number[];
  /** How long every request holds its slot. @default 2 */
  readonly serviceSeconds?: number;
  /** @default 1 */
  readonly slotsPerTask?: number;
  /** @default 0: all counts */
  readonly unscoredSeconds?: number;
}

/** Traffic small enough to follow with a pencil. */
export function tinyWorkload(tiny: TinyWorkload): Workload {
  const { arrivals, serviceSeconds = 2, slotsPerTask = 1, unscoredSeconds = 0 } = tiny;
  const total = arrivals.reduce((sum, it) => sum + it, 0);
  return workloadOf({
    name: 'tiny',
    arrivals: Uint32Array.from(arrivals),
    sizes: knownSizes(total, () => lasting(serviceSeconds)),
    slotsPerTask,
    unscoredSeconds,
  });
}

/** So many requests in every second. */
export function steady(perSecond: number, seconds: number): number[] {
  return new Array<number>(seconds).fill(perSecond);
}
