import fc from 'fast-check';

import { capacityAsked, remembered } from './scaling-decision';
import type { PolicyMemory, TargetTrackingRule } from './scaling-decision';
import type { StepScalingRule } from './step-scaling';

const limits = { minCapacity: 5, maxCapacity: 100 };
const NOW = 1_000_000;

/** Connections normalised to five tasks: 8,000 → +2, 9,000 → +4, 10,000 → +6. */
const connections: StepScalingRule = {
  kind: 'step',
  adjustmentType: 'ChangeInCapacity',
  steps: [
    { lowerBound: 0, upperBound: 1_000, adjustment: 2 },
    { lowerBound: 1_000, upperBound: 2_000, adjustment: 4 },
    { lowerBound: 2_000, adjustment: 6 },
  ],
  cooldownMs: 60_000,
};

const cpu: TargetTrackingRule = {
  kind: 'target-tracking',
  targetValue: 65,
  scaleOutCooldownMs: 60_000,
  scaleInCooldownMs: 300_000,
};

const step = (metricValue: number, capacity = 10, memory: PolicyMemory = {}, rule = connections) =>
  capacityAsked(rule, memory, { metricValue, threshold: 8_000 }, capacity, limits, NOW);
const track = (metricValue: number, capacity = 10, memory: PolicyMemory = {}) =>
  capacityAsked(cpu, memory, { metricValue, threshold: 65 }, capacity, limits, NOW);

test.each([
  [7_999, 10],
  [8_000, 12],
  [8_999, 12],
  [9_000, 14],
  [10_000, 16],
  [50_000, 16],
])('%d connections ask for %d tasks from 10', (metric, expected) => {
  expect(step(metric)).toBe(expected);
});

test('below a threshold the bounds include their upper end', () => {
  const scaleIn: StepScalingRule = {
    ...connections,
    steps: [
      { upperBound: -10, adjustment: -2 },
      { lowerBound: -10, upperBound: 0, adjustment: -1 },
    ],
  };
  expect([7_990, 7_991, 7_000].map((metric) => step(metric, 20, {}, scaleIn))).toEqual([
    18, 19, 18,
  ]);
});

test.each([
  ['PercentChangeInCapacity', 12.7, 10, 11],
  ['PercentChangeInCapacity', 4, 10, 11],
  ['PercentChangeInCapacity', -15, 10, 9],
  ['PercentChangeInCapacity', 67, 10, 16],
  ['ExactCapacity', 42, 10, 42],
  ['ExactCapacity', 400, 10, 100],
] as const)('%s of %d on %d tasks gives %d', (adjustmentType, adjustment, capacity, expected) => {
  const rule = { ...connections, adjustmentType, steps: [{ lowerBound: 0, adjustment }] };
  expect(step(8_000, capacity, {}, rule)).toBe(expected);
});

test('a percentage changes at least by its least magnitude', () => {
  const rule: StepScalingRule = {
    ...connections,
    adjustmentType: 'PercentChangeInCapacity',
    minAdjustmentMagnitude: 3,
    steps: [{ lowerBound: 0, adjustment: 10 }],
  };
  expect(step(8_000, 10, {}, rule)).toBe(13);
});

test('while a scale-out cools down only the larger demand is added', () => {
  const memory = { lastOut: { atMs: NOW - 30_000, fromCapacity: 10 } };
  expect(step(8_000, 12, memory)).toBe(12);
  expect(step(9_500, 12, memory)).toBe(14);
  expect(step(8_000, 12, { lastOut: { atMs: NOW - 60_000, fromCapacity: 10 } })).toBe(14);
});

test('target tracking goes where the metric would meet the target', () => {
  expect(track(130)).toBe(20);
  expect(track(66)).toBe(11);
  expect(track(32)).toBe(5);
});

test('target tracking does not pile up while started tasks are not yet felt', () => {
  const memory = { lastOut: { atMs: NOW - 30_000, fromCapacity: 10 } };
  expect(track(130, 20, memory)).toBe(20);
  expect(track(195, 20, memory)).toBe(30);
});

test('a scale-in waits for the one before, a scale-out does not', () => {
  const memory = { lastIn: { atMs: NOW - 120_000 } };
  expect(track(30, 20, memory)).toBe(20);
  expect(track(30, 20, { lastIn: { atMs: NOW - 300_000 } })).toBe(10);
  expect(track(130, 20, memory)).toBe(40);
});

test('a scale-out ends the waiting of an earlier scale-in', () => {
  const memory = remembered({ lastIn: { atMs: NOW } }, { from: 10, to: 12 }, cpu, NOW);
  expect(memory.lastIn).toBeUndefined();
});

test('whatever is asked stays within the limits and in its direction', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 1e6, noNaN: true }),
      fc.integer({ min: 5, max: 100 }),
      (metric, capacity) => {
        const asked = track(metric, capacity);
        expect(asked).toBeGreaterThanOrEqual(limits.minCapacity);
        expect(asked).toBeLessThanOrEqual(limits.maxCapacity);
        if (metric > 65) expect(asked).toBeGreaterThanOrEqual(capacity);
        if (metric <= 65) expect(asked).toBeLessThanOrEqual(capacity);
      },
    ),
  );
});
