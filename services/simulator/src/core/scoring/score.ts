import type { Outcome } from '../platform/simulate';
import type { Workload } from '../traffic/workload';

/** One per cent of the requests violated weighs as much as half the ideal capacity. */
const IDEAL_CAPACITIES_PER_VIOLATION_SHARE = 50;

/** How a run compares; lower is better everywhere. */
export interface Score {
  /** Cost and broken promises together, over the oracle's. */
  readonly r: number;
  /** Of the requests, those that waited too long or were dropped. */
  readonly violatingShare: number;
  readonly droppedShare: number;
  /** Task-seconds over those of perfect packing. */
  readonly capacityOverIdeal: number;
  readonly costOverOracle: number;
  readonly operationsPerHour: number;
}

/** Holds an outcome against the oracle's on the same workload. */
export function scoreOf(workload: Workload, outcome: Outcome, oracle: Outcome): Score {
  const requests = Math.max(1, workload.scoredRequests);
  return {
    r: burden(workload, outcome) / burden(workload, oracle),
    violatingShare: violations(outcome) / requests,
    droppedShare: outcome.dropped / requests,
    capacityOverIdeal: outcome.taskSeconds / workload.idealTaskSeconds,
    costOverOracle: outcome.taskSeconds / oracle.taskSeconds,
    operationsPerHour: (outcome.operations * 3_600) / Math.max(1, outcome.scoredSeconds),
  };
}

/** Task-seconds, with every violated request as its price in task-seconds. */
function burden(workload: Workload, outcome: Outcome): number {
  const requests = Math.max(1, workload.scoredRequests);
  const price = (IDEAL_CAPACITIES_PER_VIOLATION_SHARE * workload.idealTaskSeconds) / requests;
  return outcome.taskSeconds + price * violations(outcome);
}

function violations(outcome: Outcome): number {
  return outcome.late + outcome.dropped;
}
