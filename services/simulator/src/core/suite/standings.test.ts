import { someRun } from '../../../test/some-run';
import { standings } from './standings';
import type { SuiteRun } from './suite-run';

const run = ({ r, ...over }: Partial<SuiteRun> & { readonly r: number }): SuiteRun =>
  someRun({ trace: 'a', ...over, score: { r, operationsPerHour: r } });

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

test('start-up times come in the order they were played', () => {
  const lines = standings([
    run({ r: 1 }),
    run({ r: 1, startupSeconds: 15 }),
    run({ r: 1, startupSeconds: 60 }),
  ]);
  expect(lines.map((it) => it.startupSeconds)).toEqual([50, 15, 60]);
});

test('where models are short no order of policies follows', () => {
  const { overOracle } = run({ r: 1 }).score;
  const short = { overOracle: { ...overOracle, throttleMinutes: 1.3 } };
  expect(standings([someRun({ score: short })])).toEqual([]);
});
