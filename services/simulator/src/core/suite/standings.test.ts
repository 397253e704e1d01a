import { standings } from './standings';
import type { SuiteRun } from './suite-run';

const run = (over: Partial<SuiteRun> & { readonly r: number }): SuiteRun => ({
  trace: 'a',
  policy: 'keda',
  startupSeconds: 50,
  calendarKnown: false,
  ...over,
  score: {
    r: over.r,
    violatingShare: 0,
    droppedShare: 0,
    capacityOverIdeal: 1,
    costOverOracle: 1,
    operationsPerHour: over.r,
  },
});

test('a policy is judged by the geometric mean and the worst of its runs', () => {
  const [keda] = standings([run({ r: 1 }), run({ r: 4, trace: 'b' })]);
  expect(keda).toMatchObject({ geomeanR: 2, worstR: 4, worstTrace: 'b', mostOperationsPerHour: 4 });
});

test('the better comes first, and what the calendar announced is judged apart', () => {
  const lines = standings([
    run({ r: 3 }),
    run({ r: 2, policy: 'knative' }),
    run({ r: 1, policy: 'ours', calendarKnown: true }),
  ]);
  expect(lines.map(({ policy }) => policy)).toEqual(['knative', 'keda']);
});
