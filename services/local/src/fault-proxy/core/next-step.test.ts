import fc from 'fast-check';
import { lateness, nextPiece, nextStep } from './next-step';
import type { Flow, Parcel } from './next-step';
import { seededRandom } from './random';
import type { Toxic } from './toxic';

const data: Parcel = { kind: 'data', bytes: 100, arrivedAtMs: 1_000, draw: 0.5 };
const end: Parcel = { ...data, kind: 'end', bytes: 0 };
const flowWith = (...toxics: Toxic[]): Flow => ({ toxics, passedUnder: new Map(), notBeforeMs: 0 });
const step = (head: Parcel, flow: Flow, nowMs = 1_000) =>
  nextStep(head, flow, nowMs, seededRandom(1));

const latency = (latencyMs: number, jitterMs = 0): Toxic => ({
  type: 'latency',
  latencyMs,
  jitterMs,
});
const limit: Toxic = { type: 'limit_data', bytes: 40 };

test.each<[string, Parcel, Flow, number, object]>([
  [
    'passes all at once without toxics',
    data,
    flowWith(),
    1_000,
    { kind: 'pass', bytes: 100, thenNotBeforeMs: 1_000 },
  ],
  [
    'passes the news of the end',
    end,
    flowWith(),
    1_000,
    { kind: 'pass', bytes: 0, thenNotBeforeMs: 0 },
  ],
  ['waits for latency', data, flowWith(latency(50)), 1_000, { kind: 'wait', untilMs: 1_050 }],
  [
    'adds latencies up',
    data,
    flowWith(latency(50), latency(20)),
    1_000,
    { kind: 'wait', untilMs: 1_070 },
  ],
  [
    'passes when late enough',
    data,
    flowWith(latency(50)),
    1_050,
    { kind: 'pass', bytes: 100, thenNotBeforeMs: 1_050 },
  ],
  [
    'finishes a pause first',
    data,
    { ...flowWith(), notBeforeMs: 1_010 },
    1_000,
    { kind: 'wait', untilMs: 1_010 },
  ],
  ['holds data in a black hole', data, flowWith({ type: 'timeout' }), 9_999, { kind: 'hold' }],
  ['holds the end in a black hole', end, flowWith({ type: 'timeout' }), 9_999, { kind: 'hold' }],
  [
    'delays the end, slow to close',
    end,
    flowWith({ type: 'slow_close', delayMs: 30 }),
    1_000,
    { kind: 'wait', untilMs: 1_030 },
  ],
  [
    'does not delay data, slow to close',
    data,
    flowWith({ type: 'slow_close', delayMs: 30 }),
    1_000,
    { kind: 'pass', bytes: 100, thenNotBeforeMs: 1_000 },
  ],
  [
    'paces bandwidth',
    data,
    flowWith({ type: 'bandwidth', bytesPerSecond: 1_000 }),
    1_000,
    { kind: 'pass', bytes: 50, thenNotBeforeMs: 1_050 },
  ],
  [
    'slices and pauses',
    data,
    flowWith({ type: 'slicer', averageBytes: 8, delayMs: 3 }),
    1_000,
    { kind: 'pass', bytes: 8, thenNotBeforeMs: 1_003 },
  ],
  [
    'cuts after the limit',
    data,
    flowWith(limit),
    1_000,
    { kind: 'pass', bytes: 40, thenNotBeforeMs: 1_000, thenCut: 'close' },
  ],
  [
    'cuts before the first byte at a limit of none',
    data,
    flowWith({ ...limit, bytes: 0, ending: 'reset' }),
    1_000,
    { kind: 'cut', ending: 'reset' },
  ],
  [
    'lets the end pass under a limit',
    end,
    flowWith({ ...limit, bytes: 0 }),
    1_000,
    { kind: 'pass', bytes: 0, thenNotBeforeMs: 0 },
  ],
])('%s', (_, head, flow, nowMs, expected) => {
  expect(step(head, flow, nowMs)).toEqual(expected);
});

test('a pause makes up for a late timer', () => {
  const flow = { ...flowWith({ type: 'bandwidth', bytesPerSecond: 1_000 }), notBeforeMs: 2_000 };
  expect(step(data, flow, 2_004)).toMatchObject({ bytes: 50, thenNotBeforeMs: 2_050 });
});

test('a pause does not make up for a receiver that was slow for long', () => {
  const flow = { ...flowWith({ type: 'bandwidth', bytesPerSecond: 1_000 }), notBeforeMs: 2_000 };
  expect(step(data, flow, 9_000)).toMatchObject({ bytes: 50, thenNotBeforeMs: 9_030 });
});

test('a limit counts what it has let through already', () => {
  const flow = { ...flowWith(limit), passedUnder: new Map([[limit, 30]]) };
  expect(step(data, flow)).toMatchObject({ bytes: 10, thenCut: 'close' });
});

test('a limit above what waits does not cut', () => {
  expect(step({ ...data, bytes: 39 }, flowWith(limit))).not.toHaveProperty('thenCut');
});

test('jitter stays within its range and never makes anything early', () => {
  const draw = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  const millis = fc.integer({ min: 0, max: 10_000 });
  fc.assert(
    fc.property(draw, millis, millis, (drawn, latencyMs, jitterMs) => {
      const late = lateness({ kind: 'data', draw: drawn }, [latency(latencyMs, jitterMs)]);
      expect(late).toBeGreaterThanOrEqual(Math.max(0, latencyMs - jitterMs));
      expect(late).toBeLessThanOrEqual(latencyMs + jitterMs);
    }),
  );
});

test('pieces have at least one byte, and the slices vary by no more than the variation', () => {
  const size = fc.integer({ min: 1, max: 5_000 });
  fc.assert(
    fc.property(size, size, size, fc.integer(), (waiting, averageBytes, variationBytes, seed) => {
      const slicer: Toxic = { type: 'slicer', averageBytes, variationBytes };
      const piece = nextPiece(waiting, [slicer], seededRandom(seed));
      expect(piece).toBeGreaterThanOrEqual(
        Math.min(waiting, Math.max(1, averageBytes - variationBytes)),
      );
      expect(piece).toBeLessThanOrEqual(Math.min(waiting, averageBytes + variationBytes));
    }),
  );
});
