import fc from 'fast-check';
import { configure } from '../configuration/configure';
import { bedrockCapacitySet } from './capacity-set';
import { mitigationFlags } from './mitigation-flags';
import { preScaleSignal, prewarmRequest } from './prewarm-request';
import { workerMark } from './worker-mark';

const RECORDS = [
  mitigationFlags,
  bedrockCapacitySet,
  prewarmRequest,
  preScaleSignal,
  workerMark,
] as const;

const flags = {
  active: [{ mitigation: 'coalesce' as const, reason: '12 throttles in 10 s', sinceMs: 1 }],
  cacheSeconds: 120,
  epoch: 7,
};

test('what is written is read back', () => {
  expect(mitigationFlags.decode(mitigationFlags.encode(flags))).toEqual(flags);
});

test('no record is absence', () => {
  expect(mitigationFlags.decode(null)).toBeUndefined();
  expect(mitigationFlags.decode(undefined)).toBeUndefined();
});

test('whatever is stored, reading it never throws', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (stored) => {
      for (const record of RECORDS) expect(() => record.decode(stored)).not.toThrow();
    }),
  );
});

test.each([
  ['broken JSON', '{"active":['],
  ['a mitigation nobody knows', JSON.stringify({ ...flags, active: [{ mitigation: 'pray' }] })],
  ['a cache time below zero', JSON.stringify({ ...flags, cacheSeconds: -1 })],
  ['another type', '42'],
])('%s is absence', (_, stored) => {
  expect(mitigationFlags.decode(stored)).toBeUndefined();
});

test('a field that a later version adds does not make a record unreadable', () => {
  expect(mitigationFlags.decode(JSON.stringify({ ...flags, added: true }))).toEqual(flags);
});

test('a throughput without a real ARN is never called', () => {
  const stored = JSON.stringify({
    alias: 'complex',
    throughputs: [{ arn: 'http://evil', units: 1, weight: 1 }],
    epoch: 1,
  });
  expect(bedrockCapacitySet.decode(stored)).toBeUndefined();
});

test('keys are what operators look for', () => {
  expect(workerMark.key('u1')).toBe('worker:active:u1');
  expect(bedrockCapacitySet.key('complex')).toBe('capacity:bedrock:complex');
});

test('every record expires and says what its absence means', () => {
  for (const record of RECORDS) {
    expect(record.ttlSeconds(configure())).toBeGreaterThan(0);
    expect(record.absence.length).toBeGreaterThan(10);
  }
  expect(workerMark.ttlSeconds(configure({ fleet: { markSeconds: 45 } }))).toBe(45);
});
