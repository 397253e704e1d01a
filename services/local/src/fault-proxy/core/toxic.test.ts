import { nonsenseIn, spoils } from './toxic';
import type { Toxic } from './toxic';

test('a toxic without a direction spoils both', () => {
  const toxic: Toxic = { type: 'timeout' };
  expect([spoils(toxic, 'upstream'), spoils(toxic, 'downstream')]).toEqual([true, true]);
});

test('a toxic with a direction spoils that one', () => {
  const toxic: Toxic = { type: 'timeout', direction: 'upstream' };
  expect([spoils(toxic, 'upstream'), spoils(toxic, 'downstream')]).toEqual([true, false]);
});

test.each<[Toxic, string | undefined]>([
  [{ type: 'latency', latencyMs: 0 }, undefined],
  [{ type: 'latency', latencyMs: -1 }, 'latency: latencyMs must be a number from 0 up'],
  [{ type: 'slow_close', delayMs: Number.NaN }, 'slow_close: delayMs must be a number from 0 up'],
  [{ type: 'slicer', averageBytes: 0 }, 'slicer: averageBytes must be at least 1'],
  [
    { type: 'bandwidth', bytesPerSecond: 0 },
    'bandwidth: bytesPerSecond must be above 0; for no data at all use "timeout"',
  ],
])('%j: %s', (toxic, expected) => {
  expect(nonsenseIn(toxic)).toBe(expected);
});
