import { createQueue } from '../platform/queue';
import type { Workload } from '../traffic/workload';

/** Requests in flight in each second if nobody ever waited. */
export function unhinderedDemand(workload: Workload): Float64Array {
  const queue = createQueue(workload);
  return Float64Array.from(workload.arrivals, (_, second) => {
    queue.step(second, Number.POSITIVE_INFINITY);
    return queue.inFlight;
  });
}

/** Tasks without which somebody would wait, for each block of seconds. */
export function neededTasks(
  demand: Float64Array,
  slotsPerTask: number,
  blockSeconds: number,
): Uint16Array {
  return Uint16Array.from({ length: Math.ceil(demand.length / blockSeconds) }, (_, block) => {
    const peak = demand
      .subarray(block * blockSeconds, (block + 1) * blockSeconds)
      .reduce((highest, it) => Math.max(highest, it), 0);
    return tasksFor(peak, slotsPerTask);
  });
}

/** Whole tasks for so many requests at once; a rounding error buys no task. */
export function tasksFor(inFlight: number, slotsPerTask: number): number {
  return Math.ceil(inFlight / slotsPerTask - 1e-6);
}
