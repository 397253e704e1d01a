import type { ModelSide } from '../models/model-side';
import { askModels } from '../platform/ask-models';
import { createQueue } from '../platform/queue';
import type { Workload } from '../traffic/workload';

/** Requests in flight in each second if nobody ever waited; of those that models let through, where they are given. */
export function unhinderedDemand(workload: Workload, models?: ModelSide): Float64Array {
  const queue = createQueue(workload, models && ((requests) => models.spare(requests)));
  return Float64Array.from(workload.arrivals, (_, second) => {
    if (models !== undefined) askModels(models, workload, second);
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
