import type { Scene } from '../platform/scene';
import { simulate, type Outcome } from '../platform/simulate';
import { POLICIES, type PolicyName } from '../policies/policies';
import { scoreOf, type Score } from '../scoring/score';
import { SeriesRecorder, type Series } from './series';

/** One policy on one kind of traffic. */
export interface SuiteRun {
  readonly trace: string;
  readonly policy: PolicyName;
  readonly startupSeconds: number;
  readonly calendarKnown: boolean;
  /** Whether quotas held; without them no model refuses anybody. */
  readonly limited: boolean;
  readonly score: Score;
  /** Over time, where a plot was asked for. */
  readonly series?: Series;
}

/** What the oracle pays for a scene; every score is held against it. */
export function oracleOutcome(scene: Scene): Outcome {
  return simulate(scene, POLICIES.oracle(scene));
}

/** Plays one policy; a plotted run is also told over time. */
export function runPolicy(
  scene: Scene,
  policy: PolicyName,
  oracle: Outcome,
  plotted = false,
): SuiteRun {
  const recorder = plotted ? new SeriesRecorder(scene) : undefined;
  const outcome = simulate(scene, POLICIES[policy](scene), recorder?.observe);
  return {
    trace: scene.workload.name,
    policy,
    startupSeconds: scene.limits.startUp.seconds,
    calendarKnown: scene.calendarKnown,
    limited: scene.limited,
    score: scoreOf(scene.workload, outcome, oracle),
    ...(recorder === undefined ? {} : { series: recorder.series() }),
  };
}
