import { someRun } from '../../../test/some-run';
import { promisesOf } from './promises';
import type { SuiteRun } from './suite-run';

function run(policy: SuiteRun['policy'], r: number, over: Partial<SuiteRun> = {}): SuiteRun {
  const score = { r, violatingShare: 0.002, operationsPerHour: 61 };
  return someRun({ trace: 'mooncake_conversation', policy, ...over, score });
}

const verdictOf = (promise: string, runs: readonly SuiteRun[]) =>
  promisesOf(runs).find((it) => it.promise === promise)?.kept;

test('ours must beat every rival but the oracle', () => {
  const promise = 'geometric mean of R against the best rival';
  const rivals = [run('oracle', 1), run('keda', 1.4), run('knative', 1.3)];
  expect(verdictOf(promise, [run('ours', 1.29), ...rivals])).toBe(true);
  expect(verdictOf(promise, [run('ours', 1.31), ...rivals])).toBe(false);
});

test('limits that are missed are said to be', () => {
  const runs = [run('ours', 1.6), run('ours', 1.31, { startupSeconds: 15 })];
  expect(verdictOf('geometric mean of R', runs)).toBe(false);
  expect(verdictOf('worst R', runs)).toBe(true);
  expect(verdictOf('scale operations per hour', runs)).toBe(false);
  expect(verdictOf('geometric mean of R with 15 s start-up', runs)).toBe(false);
});

test('a known release night has its own promise', () => {
  const night = run('ours', 5, { trace: 'release_night', calendarKnown: true });
  const promise = 'share violated on a release night the calendar knows, start-up 50 s';
  expect(verdictOf(promise, [night])).toBe(false);
});

test('the model is held to published figures within a twentieth, on either side', () => {
  const promise = 'calibration: R of knative on mooncake_conversation';
  expect(verdictOf(promise, [run('knative', 1.36)])).toBe(true);
  expect(verdictOf(promise, [run('knative', 1.37)])).toBe(false);
  expect(verdictOf(promise, [run('knative', 1.23)])).toBe(false);
});

test('who was not played is promised nothing', () => {
  expect(promisesOf([run('cpu', 40)])).toEqual([]);
});

test('runs with quotas say nothing about R', () => {
  expect(promisesOf([run('ours', 9, { limited: true })])).toEqual([]);
});
