import type { Score } from '../src/core/scoring/score';
import type { SuiteRun } from '../src/core/suite/suite-run';

/** A run of which only some things matter. */
export function someRun({
  score = {},
  ...over
}: Partial<Omit<SuiteRun, 'score'>> & { readonly score?: Partial<Score> }): SuiteRun {
  return {
    trace: 'some',
    policy: 'keda',
    startupSeconds: 50,
    calendarKnown: false,
    limited: false,
    ...over,
    score: {
      r: 1,
      violatingShare: 0,
      refusedShare: 0,
      capacityOverIdeal: 1,
      operationsPerHour: 1,
      paid: { throttleMinutes: 0, taskHours: 1, unitHours: 0, dollars: 1 },
      overOracle: { throttleMinutes: undefined, taskHours: 1, unitHours: undefined, dollars: 1 },
      ...score,
    },
  };
}
