import { steady, tinyWorkload } from '../../../test/tiny-workloads';
import type { Outcome } from '../platform/simulate';
import { scoreOf } from './score';

/** 100 requests of 2 s on one slot a task: 200 ideal task-seconds; one violation costs 100. */
const workload = tinyWorkload({ arrivals: steady(1, 100), serviceSeconds: 2 });
const oracle: Outcome = {
  taskHours: 250 / 3_600,
  unitHours: 0,
  throttleMinutes: 2,
  dollars: { tasks: 1, units: 0, tokens: 4 },
  late: 0,
  dropped: 0,
  throttled: 0,
  operations: 4,
  scoredSeconds: 100,
};

test('one per cent violated weighs as much as half the ideal capacity', () => {
  const outcome = { ...oracle, taskHours: 300 / 3_600, late: 1, operations: 2 };
  const score = scoreOf(workload, outcome, oracle);
  expect(score.r).toBeCloseTo((300 + 100) / 250);
  expect(score.violatingShare).toBeCloseTo(0.01);
  expect(score.capacityOverIdeal).toBeCloseTo(1.5);
  expect(score.operationsPerHour).toBeCloseTo(72);
});

test('whoever was dropped is violated and refused', () => {
  expect(scoreOf(workload, { ...oracle, late: 1, dropped: 2 }, oracle)).toMatchObject({
    violatingShare: 0.03,
    refusedShare: 0.02,
  });
});

test('whoever a model throttled is refused too, and is not held against the tasks', () => {
  expect(scoreOf(workload, { ...oracle, throttled: 5 }, oracle)).toMatchObject({
    violatingShare: 0.05,
    refusedShare: 0.05,
    r: 1,
  });
});

test('what was paid is told, and over what the oracle paid', () => {
  const dollars = { tasks: 2, units: 3, tokens: 5 };
  const outcome = { ...oracle, taskHours: 500 / 3_600, unitHours: 2, throttleMinutes: 1, dollars };
  const { paid, overOracle } = scoreOf(workload, outcome, oracle);
  expect(paid).toMatchObject({ unitHours: 2, throttleMinutes: 1, dollars: 10 });
  expect(overOracle).toEqual({
    taskHours: 2,
    unitHours: undefined,
    throttleMinutes: 0.5,
    dollars: 2,
  });
});

test('the oracle scores one', () => {
  expect(scoreOf(workload, oracle, oracle).r).toBe(1);
});
