import { steady, tinyWorkload } from '../../../test/tiny-workloads';
import { scoreOf } from './score';

/** 100 requests of 2 s on one slot a task: 200 ideal task-seconds; one violation costs 100. */
const workload = tinyWorkload({ arrivals: steady(1, 100), serviceSeconds: 2 });
const oracle = { taskSeconds: 250, late: 0, dropped: 0, operations: 4, scoredSeconds: 100 };

test('one per cent violated weighs as much as half the ideal capacity', () => {
  const outcome = { taskSeconds: 300, late: 1, dropped: 0, operations: 2, scoredSeconds: 100 };
  const score = scoreOf(workload, outcome, oracle);
  expect(score.r).toBeCloseTo((300 + 100) / 250);
  expect(score.violatingShare).toBeCloseTo(0.01);
  expect(score.capacityOverIdeal).toBeCloseTo(1.5);
  expect(score.costOverOracle).toBeCloseTo(1.2);
  expect(score.operationsPerHour).toBeCloseTo(72);
});

test('whoever was dropped is violated and refused', () => {
  const outcome = { taskSeconds: 250, late: 1, dropped: 2, operations: 0, scoredSeconds: 100 };
  expect(scoreOf(workload, outcome, oracle)).toMatchObject({
    violatingShare: 0.03,
    droppedShare: 0.02,
  });
});

test('the oracle scores one', () => {
  expect(scoreOf(workload, oracle, oracle).r).toBe(1);
});
