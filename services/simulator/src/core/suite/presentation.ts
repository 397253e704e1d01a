import type { Promised } from './promises';
import type { Standing } from './standings';
import type { SuiteRun } from './suite-run';

const percent = (share: number) => `${(share * 100).toFixed(2)} %`;
const factor = (value: number) => value.toFixed(2);

/** A run for a person. */
export function runRow({ trace, policy, startupSeconds, calendarKnown, score }: SuiteRun) {
  return {
    traffic: trace,
    'start-up': `${startupSeconds} s`,
    calendar: calendarKnown ? 'known' : '–',
    policy,
    R: factor(score.r),
    violated: percent(score.violatingShare),
    refused: percent(score.droppedShare),
    'capacity/ideal': factor(score.capacityOverIdeal),
    'cost/oracle': factor(score.costOverOracle),
    'moves/h': score.operationsPerHour.toFixed(0),
  };
}

export function standingRow(standing: Standing) {
  return {
    'start-up': `${standing.startupSeconds} s`,
    policy: standing.policy,
    'R geomean': factor(standing.geomeanR),
    'R worst': factor(standing.worstR),
    on: standing.worstTrace,
    violated: percent(standing.meanViolatingShare),
    'capacity/ideal': factor(standing.meanCapacityOverIdeal),
    'moves/h at most': standing.mostOperationsPerHour.toFixed(0),
  };
}

export function promiseRow({ promise, figure, limit, kept }: Promised) {
  return { promise, figure, limit, kept: kept ? 'yes' : 'NO' };
}

/** A run for a machine. */
export function runFigures({ trace, policy, startupSeconds, calendarKnown, score }: SuiteRun) {
  return {
    trace,
    policy,
    startup_s: startupSeconds,
    calendar_known: calendarKnown,
    R: score.r,
    violating_share: score.violatingShare,
    refused_share: score.droppedShare,
    // The suite's models have no quota, so nobody is ever throttled.
    throttle_minutes: 0,
    capacity_over_ideal: score.capacityOverIdeal,
    cost_over_oracle: score.costOverOracle,
    ops_per_hour: score.operationsPerHour,
  };
}

export function standingFigures(standing: Standing) {
  return {
    policy: standing.policy,
    startup_s: standing.startupSeconds,
    geomean_r: standing.geomeanR,
    worst_r: standing.worstR,
    worst_trace: standing.worstTrace,
  };
}
