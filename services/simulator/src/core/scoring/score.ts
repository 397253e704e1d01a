import { dollarsOf } from '../models/bill';
import type { Outcome } from '../platform/simulate';
import type { Workload } from '../traffic/workload';

/** One per cent of the requests violated weighs as much as half the ideal capacity. */
const IDEAL_CAPACITIES_PER_VIOLATION_SHARE = 50;

const HOUR_SECONDS = 3_600;

/** How a run compares; lower is better everywhere. */
export interface Score {
  /** Tasks and requests they failed together, over the oracle's; what a model refuses is no task's fault. */
  readonly r: number;
  /** Of the requests, those that waited too long or were refused. */
  readonly violatingShare: number;
  /** Dropped by the queue or throttled by a model. */
  readonly refusedShare: number;
  /** Task-seconds over those of perfect packing. */
  readonly capacityOverIdeal: number;
  readonly operationsPerHour: number;
  readonly paid: Paid;
  /** The same over the oracle's; undefined where the oracle has none. */
  readonly overOracle: { readonly [Of in keyof Paid]: number | undefined };
}

/** What a run took. */
interface Paid {
  readonly throttleMinutes: number;
  readonly taskHours: number;
  readonly unitHours: number;
  readonly dollars: number;
}

/** Holds an outcome against the oracle's on the same workload. */
export function scoreOf(workload: Workload, outcome: Outcome, oracle: Outcome): Score {
  const requests = Math.max(1, workload.scoredRequests);
  const { dropped, throttled } = outcome;
  const paid = paidFor(outcome);
  return {
    r: burden(workload, outcome) / burden(workload, oracle),
    violatingShare: (failedByTasks(outcome) + throttled) / requests,
    refusedShare: (dropped + throttled) / requests,
    capacityOverIdeal: (outcome.taskHours * HOUR_SECONDS) / workload.idealTaskSeconds,
    operationsPerHour: (outcome.operations * HOUR_SECONDS) / Math.max(1, outcome.scoredSeconds),
    paid,
    overOracle: overOracle(paid, paidFor(oracle)),
  };
}

function paidFor(outcome: Outcome): Paid {
  const { throttleMinutes, taskHours, unitHours } = outcome;
  return { throttleMinutes, taskHours, unitHours, dollars: dollarsOf(outcome) };
}

function overOracle(paid: Paid, oracle: Paid): Score['overOracle'] {
  const over = (of: keyof Paid) => (oracle[of] === 0 ? undefined : paid[of] / oracle[of]);
  return {
    throttleMinutes: over('throttleMinutes'),
    taskHours: over('taskHours'),
    unitHours: over('unitHours'),
    dollars: over('dollars'),
  };
}

/** Task-seconds, with every request that they failed as its price in task-seconds. */
function burden(workload: Workload, outcome: Outcome): number {
  const requests = Math.max(1, workload.scoredRequests);
  const price = (IDEAL_CAPACITIES_PER_VIOLATION_SHARE * workload.idealTaskSeconds) / requests;
  return outcome.taskHours * HOUR_SECONDS + price * failedByTasks(outcome);
}

function failedByTasks(outcome: Outcome): number {
  return outcome.late + outcome.dropped;
}
