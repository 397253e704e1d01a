import type { Promised } from './promises';
import type { Standing } from './standings';
import type { SuiteRun } from './suite-run';

const percent = (share: number) => `${(share * 100).toFixed(2)} %`;
const factor = (value: number) => value.toFixed(2);

const overText = (over: number | undefined) => (over === undefined ? '–' : factor(over));

/** A run for a person. */
export function runRow({ trace, policy, startupSeconds, calendarKnown, score }: SuiteRun) {
  const { paid, overOracle } = score;
  return {
    traffic: trace,
    'start-up': `${startupSeconds} s`,
    calendar: calendarKnown ? 'known' : '–',
    policy,
    R: factor(score.r),
    violated: percent(score.violatingShare),
    refused: percent(score.refusedShare),
    'throttled min': paid.throttleMinutes.toFixed(0),
    'capacity/ideal': factor(score.capacityOverIdeal),
    'task-h': paid.taskHours.toFixed(0),
    '/oracle': overText(overOracle.taskHours),
    'unit-h': paid.unitHours.toFixed(0),
    $: Math.round(paid.dollars).toLocaleString('en'),
    '$/oracle': overText(overOracle.dollars),
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
export function runFigures({ trace, policy, startupSeconds, calendarKnown, ...run }: SuiteRun) {
  const { score, limited } = run;
  const { paid, overOracle } = score;
  return {
    trace,
    policy,
    startup_s: startupSeconds,
    calendar_known: calendarKnown,
    R: score.r,
    violating_share: score.violatingShare,
    refused_share: score.refusedShare,
    throttle_minutes: paid.throttleMinutes,
    capacity_over_ideal: score.capacityOverIdeal,
    // What a policy decides about is tasks; with tokens in it every policy would cost about the same.
    cost_over_oracle: overOracle.taskHours ?? null,
    ops_per_hour: score.operationsPerHour,
    quotas: limited,
    task_hours: paid.taskHours,
    unit_hours: paid.unitHours,
    dollars: paid.dollars,
    throttle_minutes_over_oracle: overOracle.throttleMinutes ?? null,
    unit_hours_over_oracle: overOracle.unitHours ?? null,
    dollars_over_oracle: overOracle.dollars ?? null,
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
