import {
  billedHours,
  commitmentEndsAtMs,
  deletionRefusal,
  statusOf,
  unitsInUse,
} from './throughput';
import type { Throughput } from './throughput';

const START = Date.UTC(2026, 10, 26, 12);
const MINUTE_MS = 60_000;

const bought: Throughput = {
  arn: 'arn:one',
  name: 'event-night',
  modelArn: 'arn:model',
  modelUnits: 3,
  commitment: undefined,
  createdAtMs: START,
  modifiedAtMs: START,
  readyAtMs: START + 15 * MINUTE_MS,
  failure: undefined,
  updatingUntilMs: 0,
  deletedAtMs: undefined,
  clientRequestToken: undefined,
};

test.each([
  ['is in creation until it is ready', bought, 14, 'Creating'],
  ['then serves', bought, 15, 'InService'],
  ['or has failed', { ...bought, failure: 'no capacity' }, 15, 'Failed'],
  ['fails only at the end of creation', { ...bought, failure: 'no capacity' }, 14, 'Creating'],
  [
    'is updating for a while',
    { ...bought, updatingUntilMs: START + 30 * MINUTE_MS },
    29,
    'Updating',
  ],
])('a throughput %s', (_, throughput, minutes, expected) => {
  expect(statusOf(throughput, START + minutes * MINUTE_MS)).toBe(expected);
});

test('without commitment it can be deleted once it serves, with one only after its term', () => {
  const committed: Throughput = { ...bought, commitment: 'OneMonth' };
  const december = Date.UTC(2026, 11, 26, 12);

  expect(deletionRefusal(bought, START)).toMatch(/Creating/);
  expect(deletionRefusal(bought, bought.readyAtMs)).toBeUndefined();
  expect(commitmentEndsAtMs(committed)).toBe(december);
  expect(deletionRefusal(committed, december - 1)).toMatch(/committed until 2026-12-26/);
  expect(deletionRefusal(committed, december)).toBeUndefined();
});

test('begun hours are billed whole, from service to deletion', () => {
  const deleted = { ...bought, deletedAtMs: bought.readyAtMs + 61 * MINUTE_MS };

  expect(billedHours(bought, bought.readyAtMs)).toBe(0);
  expect(billedHours(bought, bought.readyAtMs + 1)).toBe(1);
  expect(billedHours(deleted, START + 24 * 60 * MINUTE_MS)).toBe(2);
  expect(billedHours({ ...bought, failure: 'x' }, START + 24 * 60 * MINUTE_MS)).toBe(0);
});

test('what is being created counts against the quota, what failed or was deleted does not', () => {
  const others = [
    { ...bought, modelArn: 'arn:other' },
    { ...bought, failure: 'x', readyAtMs: START },
    { ...bought, deletedAtMs: START },
  ];
  expect(unitsInUse([bought, ...others], 'arn:model', START)).toBe(3);
});
