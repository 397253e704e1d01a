import { defaultConfiguration } from '@matsuri/contract';
import { demandOfSize, type ModelDemand } from '../models/model-demand';
import type { RequestSize, RequestSizes } from './request-sizes';

/** Tasks that the mean demand of a workload fills; makes figures of different traffic comparable. */
const MEAN_TASKS = 20;

/** Traffic to be served, second by second. */
export interface Workload {
  readonly name: string;
  /** Requests that arrive in each second. */
  readonly arrivals: Uint32Array;
  readonly sizes: RequestSizes;
  readonly slotsPerTask: number;
  /** The beginning, in which policies find their feet, does not count. */
  readonly unscoredSeconds: number;
  /** Requests that count. */
  readonly scoredRequests: number;
  /** Task-seconds that they need at perfect packing. */
  readonly idealTaskSeconds: number;
  /** What is asked of the models in a second; times how many really came. */
  readonly demandAt: (second: number) => ModelDemand;
}

export interface WorkloadParts {
  readonly name: string;
  readonly arrivals: Uint32Array;
  readonly sizes: RequestSizes;
  /** @default 300 */
  readonly unscoredSeconds?: number;
  /** @default such that the mean demand is 20 tasks */
  readonly slotsPerTask?: number;
  /** @default the usual share asks the complex models, for as many tokens as the rest */
  readonly demandAt?: (second: number) => ModelDemand;
}

/** Sizes a task for the traffic and says how much of it counts. */
export function workloadOf(parts: WorkloadParts): Workload {
  const { name, arrivals, sizes, unscoredSeconds = 300 } = parts;
  const total = sum(arrivals);
  const unscored = sum(arrivals.subarray(0, unscoredSeconds));
  const slotsPerTask =
    parts.slotsPerTask ?? sizes.busySeconds(0, total) / arrivals.length / MEAN_TASKS;
  return {
    name,
    arrivals,
    sizes,
    slotsPerTask,
    unscoredSeconds,
    scoredRequests: total - unscored,
    idealTaskSeconds: sizes.busySeconds(unscored, total - unscored) / slotsPerTask,
    demandAt: parts.demandAt ?? alwaysOf(sizes.meanSize),
  };
}

function alwaysOf(size: RequestSize): () => ModelDemand {
  const demand = demandOfSize(size, defaultConfiguration);
  return () => demand;
}

function sum(counts: Uint32Array): number {
  let total = 0;
  for (const count of counts) total += count;
  return total;
}
