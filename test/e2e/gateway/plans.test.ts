/** A run is repeated by its seed: what is done, and to whom, depends on nothing else. */
import { BEDROCK_SCRIPTS } from '@matsuri/local';
import { faultPlan, FAULTS } from '../../chaos/harness/faults/fault-plan';
import { mixedCalls } from '../../chaos/harness/traffic/mixed-calls';

const MIX = {
  count: 3_000,
  places: 3,
  misbehaviours: BEDROCK_SCRIPTS.map(({ name }) => name),
  models: ['simple', 'complex'],
  tenants: 3,
};
const FAULT_MIX = { calls: 5_000, places: 3, everyCalls: 120 };

test('the same seed means the same calls and faults', () => {
  expect(mixedCalls({ ...MIX, seed: 7 })).toEqual(mixedCalls({ ...MIX, seed: 7 }));
  expect(faultPlan({ ...FAULT_MIX, seed: 7 })).toEqual(faultPlan({ ...FAULT_MIX, seed: 7 }));
});

test('another seed means others', () => {
  expect(mixedCalls({ ...MIX, seed: 7 })).not.toEqual(mixedCalls({ ...MIX, seed: 8 }));
  expect(faultPlan({ ...FAULT_MIX, seed: 7 })).not.toEqual(faultPlan({ ...FAULT_MIX, seed: 8 }));
});

test('a run of the usual length meets every misbehaviour, every departure and every fault', () => {
  const calls = mixedCalls({ ...MIX, seed: 7 });
  expect(new Set(calls.map(({ script }) => script.name)).size).toBe(BEDROCK_SCRIPTS.length);
  expect(new Set(calls.map(({ departure }) => departure.kind))).toEqual(
    new Set([
      'stays',
      'before-headers',
      'at-first-byte',
      'in-the-middle',
      'at-last-byte',
      'half-close',
      'stops-reading',
    ]),
  );
  const injected = faultPlan({ ...FAULT_MIX, seed: 7 }).map(
    ({ fault }) => `${fault.target} ${fault.kind}`,
  );
  const all = Object.entries(FAULTS).flatMap(([target, kinds]) =>
    kinds.map((kind) => `${target} ${kind}`),
  );
  expect(all.filter((fault) => !injected.includes(fault))).toEqual([]);
});

test('no two calls can be mistaken for each other by their marks', () => {
  const marks = mixedCalls({ ...MIX, seed: 7 }).map(({ marker }) => marker);
  expect(new Set(marks).size).toBe(marks.length);
  expect(new Set(marks.map(({ length }) => length)).size).toBe(1);
});
