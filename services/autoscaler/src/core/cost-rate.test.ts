import { defaultConfiguration, taskDollarsPerHour } from '@matsuri/contract';
import { costRateOf, totalOf } from './cost-rate';
import type { Snapshot, Throughput } from './snapshot';

const unit: Throughput = {
  arn: 'arn:1',
  name: 'one',
  alias: 'complex',
  units: 2,
  commitment: 'none',
  status: 'creating',
};
const dollars = (value: number) => ({ onDemandDollarsPerHour: { value, atMs: 0 } });
const SNAPSHOT: Snapshot = {
  tasks: { running: 3, desired: 10, minCapacity: 3 },
  service: {},
  models: { complex: dollars(200), simple: dollars(50) },
  throughputs: [unit],
  freeze: { scaleOut: false, scaleIn: false },
};
const rateOf = (over: Partial<Snapshot>) =>
  costRateOf({ ...SNAPSHOT, ...over }, defaultConfiguration);

test('tasks count from their order on, units from their purchase on, tokens as they are used', () => {
  const task = taskDollarsPerHour(defaultConfiguration);
  expect(rateOf({})).toEqual({ tasks: 10 * task, units: 2 * 4, tokens: 250 });
  expect(totalOf(rateOf({}))).toBeCloseTo(10 * task + 258);
});

test.each([
  ['tasks', { tasks: undefined }],
  ['units', { throughputs: undefined }],
  ['tokens', { models: { complex: dollars(1), simple: {} } }],
] as const)('%s that could not be read are unknown, and so is the sum', (part, missing) => {
  const rate = rateOf(missing);
  expect(rate[part]).toBeUndefined();
  expect(totalOf(rate)).toBeUndefined();
});

test('no units are bought: they cost nothing, which is known', () => {
  expect(rateOf({ throughputs: [] }).units).toBe(0);
});
