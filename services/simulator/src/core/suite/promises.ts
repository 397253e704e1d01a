import type { PolicyName } from '../policies/policies';
import { standings, type Standing } from './standings';
import type { SuiteRun } from './suite-run';

/** Something the platform says about its scaling, and whether this run bears it out. */
export interface Promised {
  readonly promise: string;
  readonly figure: number;
  readonly limit: number;
  readonly kept: boolean;
}

const MOST_GEOMEAN = 1.5;
const MOST_GEOMEAN_WHEN_WARM = 1.3;
const MOST_WORST = 2.7;
const MOST_OPERATIONS_PER_HOUR = 60;
const MOST_VIOLATIONS_WHEN_KNOWN = 0.001;

const COLD_SECONDS = 50;
const WARM_SECONDS = 15;

/** The promises this run can say something about. */
export function promisesOf(runs: readonly SuiteRun[]): readonly Promised[] {
  // The figures to compare with know no quotas.
  const lines = standings(runs.filter((it) => !it.limited));
  return [
    ...ofColdStart(lines),
    ...ofWarmStart(lines),
    ...runs
      .filter(isKnownRelease)
      .map(({ score, startupSeconds }) =>
        atMost(
          `share violated on a release night the calendar knows, start-up ${startupSeconds} s`,
          score.violatingShare,
          MOST_VIOLATIONS_WHEN_KNOWN,
        ),
      ),
    ...calibration(runs),
  ];
}

function ofColdStart(lines: readonly Standing[]): Promised[] {
  const cold = lines.filter((it) => it.startupSeconds === COLD_SECONDS);
  const own = cold.find((it) => it.policy === 'ours');
  if (own === undefined) return [];
  const rivals = cold.filter((it) => it.policy !== 'ours' && it.policy !== 'oracle');
  const against = (text: string, figure: number, of: (line: Standing) => number) =>
    rivals.length === 0 ? [] : [atMost(text, figure, Math.min(...rivals.map(of)))];
  return [
    atMost('geometric mean of R', own.geomeanR, MOST_GEOMEAN),
    atMost('worst R', own.worstR, MOST_WORST),
    ...against('geometric mean of R against the best rival', own.geomeanR, (it) => it.geomeanR),
    ...against('worst R against the best rival', own.worstR, (it) => it.worstR),
    atMost('scale operations per hour', own.mostOperationsPerHour, MOST_OPERATIONS_PER_HOUR),
  ];
}

function ofWarmStart(lines: readonly Standing[]): Promised[] {
  return lines
    .filter((it) => it.policy === 'ours' && it.startupSeconds === WARM_SECONDS)
    .map((it) =>
      atMost('geometric mean of R with 15 s start-up', it.geomeanR, MOST_GEOMEAN_WHEN_WARM),
    );
}

function isKnownRelease(run: SuiteRun): boolean {
  return run.trace === 'release_night' && run.policy === 'ours' && run.calendarKnown;
}

function atMost(promise: string, figure: number, limit: number): Promised {
  return { promise, figure, limit, kept: figure <= limit };
}

/** R of well-known policies on public traces, as published; the model holds to them within a twentieth. */
const PUBLISHED: readonly {
  readonly trace: string;
  readonly policy: PolicyName;
  readonly r: number;
}[] = [
  { trace: 'azure_llm_2023_conv', policy: 'static_peak', r: 1.18 },
  { trace: 'azure_llm_2023_conv', policy: 'knative', r: 1.32 },
  { trace: 'azure_llm_2023_conv', policy: 'keda', r: 1.52 },
  { trace: 'azure_llm_2023_conv', policy: 'source', r: 1.99 },
  { trace: 'mooncake_conversation', policy: 'static_peak', r: 1.16 },
  { trace: 'mooncake_conversation', policy: 'knative', r: 1.3 },
  { trace: 'mooncake_conversation', policy: 'keda', r: 1.49 },
  { trace: 'mooncake_conversation', policy: 'source', r: 1.33 },
];
const TOLERANCE = 0.05;

function calibration(runs: readonly SuiteRun[]): Promised[] {
  return PUBLISHED.flatMap(({ trace, policy, r }) =>
    runs
      .filter((it) => it.trace === trace && it.policy === policy)
      .filter((it) => it.startupSeconds === COLD_SECONDS)
      .map(({ score }) => ({
        promise: `calibration: R of ${policy} on ${trace}`,
        figure: score.r,
        limit: r,
        kept: Math.abs(score.r / r - 1) <= TOLERANCE,
      })),
  );
}
