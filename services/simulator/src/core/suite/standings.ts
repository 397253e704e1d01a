import type { PolicyName } from '../policies/policies';
import type { SuiteRun } from './suite-run';

/**
 * How a policy did over all traffic it was not told about. Where models refuse somebody even with foresight it is not
 * tasks that are short, and no order of policies follows.
 */
export interface Standing {
  readonly policy: PolicyName;
  readonly startupSeconds: number;
  readonly geomeanR: number;
  readonly worstR: number;
  readonly worstTrace: string;
  readonly meanViolatingShare: number;
  readonly meanCapacityOverIdeal: number;
  readonly mostOperationsPerHour: number;
}

/** One line for each policy and start-up time, in the order these were played, best first within each. */
export function standings(runs: readonly SuiteRun[]): readonly Standing[] {
  const groups = Map.groupBy(
    runs.filter((run) => !run.calendarKnown && !modelsAreShort(run)),
    ({ policy, startupSeconds }) => `${policy} ${startupSeconds}`,
  );
  const played = [...new Set(runs.map((it) => it.startupSeconds))];
  const place = ({ startupSeconds }: Standing) => played.indexOf(startupSeconds);
  return [...groups.values()]
    .flatMap((group) => standingOf(group) ?? [])
    .sort((a, b) => place(a) - place(b) || a.geomeanR - b.geomeanR);
}

function modelsAreShort({ score }: SuiteRun): boolean {
  return score.overOracle.throttleMinutes !== undefined;
}

function standingOf(runs: readonly SuiteRun[]): Standing | undefined {
  const [first] = runs;
  if (first === undefined) return undefined;
  const mean = (valueOf: (run: SuiteRun) => number) =>
    runs.reduce((sum, run) => sum + valueOf(run), 0) / runs.length;
  const worst = runs.reduce((most, run) => (run.score.r > most.score.r ? run : most), first);
  return {
    policy: first.policy,
    startupSeconds: first.startupSeconds,
    geomeanR: Math.exp(mean((run) => Math.log(run.score.r))),
    worstR: worst.score.r,
    worstTrace: worst.trace,
    meanViolatingShare: mean((run) => run.score.violatingShare),
    meanCapacityOverIdeal: mean((run) => run.score.capacityOverIdeal),
    mostOperationsPerHour: Math.max(...runs.map((run) => run.score.operationsPerHour)),
  };
}
