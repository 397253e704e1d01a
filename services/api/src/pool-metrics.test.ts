import { METRICS } from '@matsuri/contract';
import { createLogger, createMetrics, parseEmf } from '@matsuri/telemetry';
import { reportPool } from './pool-metrics';

test('a pool reports how busy it is, and each timeout once', () => {
  const lines: string[] = [];
  const metrics = createMetrics({
    namespace: 'Test',
    service: 'api',
    log: createLogger({ service: 'api', level: 'silent' }),
    write: (line) => lines.push(line),
    schedule: (callback) => {
      endPeriod = callback;
      return () => undefined;
    },
    clock: () => nowMs,
  });
  reportPool(metrics, { figures: () => figures });

  figures.acquireTimeouts = 2;
  nowMs += 10_000;
  endPeriod();
  nowMs += 10_000;
  endPeriod();

  expect(valuesOf(lines, METRICS.databasePoolActive.name)).toEqual([3, 3]);
  expect(valuesOf(lines, METRICS.databasePoolWaiting.name)).toEqual([1, 1]);
  expect(valuesOf(lines, METRICS.databasePoolTimeouts.name)).toEqual([2, 0]);
});

const figures = { active: 3, idle: 0, waiting: 1, acquireTimeouts: 0 };
let nowMs = 0;
let endPeriod = (): void => undefined;

function valuesOf(lines: readonly string[], name: string): number[] {
  return lines
    .flatMap((line) => parseEmf(line) ?? [])
    .filter((point) => point.name === name)
    .flatMap((point) => point.samples.map(({ value }) => value));
}
