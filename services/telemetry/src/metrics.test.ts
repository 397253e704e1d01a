import type { MetricDefinition } from '@matsuri/contract';

import { emfViolations } from '../test/emf-specification';
import { parseEmf } from './core/parse-emf';
import type { LogFields } from './logger';
import type { Metrics, MetricsOptions } from './metrics';
import { createMetrics } from './metrics';

const DEPTH = {
  name: 'QueueDepth',
  unit: 'Count',
  dimensions: [],
  aggregate: 'last',
} as const satisfies MetricDefinition;
const THROTTLES = {
  name: 'Throttles',
  unit: 'Count',
  dimensions: ['Model', 'Region'],
  aggregate: 'sum',
} as const satisfies MetricDefinition;
const LATENCY = {
  name: 'Latency',
  unit: 'Milliseconds',
  dimensions: ['Model'],
  aggregate: 'distribution',
} as const satisfies MetricDefinition;

interface Running {
  readonly metrics: Metrics;
  readonly lines: string[];
  readonly warnings: LogFields[];
  /** Lets virtual time pass, timers included. */
  readonly pass: (ms: number) => void;
  readonly waiting: () => number;
  /** `[name, seconds since start, values]` of every point written so far. */
  readonly points: () => unknown[];
}

const START_MS = 1_760_000_003_500;

function running(options: Partial<MetricsOptions> = {}): Running {
  let nowMs = START_MS;
  let timers: { atMs: number; callback: () => void }[] = [];
  const lines: string[] = [];
  const warnings: LogFields[] = [];
  const metrics = createMetrics({
    namespace: 'Matsuri',
    service: 'test',
    log: { warn: (message, fields) => warnings.push({ message, ...fields }) },
    write: (line) => lines.push(line),
    clock: () => nowMs,
    schedule: (callback, delayMs) => {
      const timer = { atMs: nowMs + delayMs, callback };
      timers.push(timer);
      return () => {
        timers = timers.filter((each) => each !== timer);
      };
    },
    ...options,
  });
  return {
    metrics,
    lines,
    warnings,
    waiting: () => timers.length,
    pass: (ms) => {
      const untilMs = nowMs + ms;
      for (;;) {
        const due = timers.find((timer) => timer.atMs <= untilMs);
        if (due === undefined) break;
        timers = timers.filter((timer) => timer !== due);
        nowMs = due.atMs;
        due.callback();
      }
      nowMs = untilMs;
    },
    points: () =>
      lines
        .flatMap((line) => parseEmf(line) ?? [])
        .map(({ name, timestampMs, samples }) => [
          name,
          (timestampMs - 1_760_000_000_000) / 1000,
          samples.map(({ value }) => value),
        ]),
  };
}

test('a period ends on a ten-second mark and is dated by its beginning', () => {
  const { metrics, pass, points, lines } = running();
  metrics.record(DEPTH, 1);
  pass(6_499);
  expect(points()).toEqual([]);
  pass(1);
  metrics.record(DEPTH, 2);
  pass(10_000);
  expect(points()).toEqual([
    ['QueueDepth', 0, [1]],
    ['QueueDepth', 10, [2]],
  ]);
  expect(lines.flatMap((line) => emfViolations(line.trimEnd()))).toEqual([]);
});

test('every line is one document and names the service', () => {
  const { metrics, lines } = running({ properties: { task: 't-1' } });
  metrics.record(DEPTH, 1);
  metrics.close();
  expect(lines[0]).toMatch(/^\{.*\}\n$/);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ service: 'test', task: 't-1' });
});

test('a gauge is read once per period, at its end', () => {
  const { metrics, pass, points } = running();
  let depth = 3;
  const stop = metrics.gauge(DEPTH, () => depth);
  depth = 5;
  pass(10_000);
  depth = 7;
  pass(10_000);
  stop();
  pass(10_000);
  expect(points()).toEqual([
    ['QueueDepth', 0, [5]],
    ['QueueDepth', 10, [7]],
  ]);
});

test('a gauge without a reading reports nothing, one that throws spoils no other', () => {
  const { metrics, pass, points, warnings } = running();
  metrics.gauge(
    THROTTLES,
    () => {
      throw new Error('broken');
    },
    { Model: 'm', Region: 'r' },
  );
  metrics.gauge(LATENCY, () => undefined, { Model: 'm' });
  metrics.gauge(DEPTH, () => 1);
  pass(10_000);
  expect(points()).toEqual([['QueueDepth', 0, [1]]]);
  expect(warnings).toEqual([expect.objectContaining({ metric: 'Throttles' })]);
});

test('a declared counter reports zero while nothing happens', () => {
  const { metrics, pass, points } = running();
  metrics.declare(THROTTLES, { Model: 'm', Region: 'r' });
  pass(20_000);
  expect(points()).toEqual([
    ['Throttles', 0, [0]],
    ['Throttles', 10, [0]],
  ]);
});

test('closing writes the unfinished period, once, and ends the timer', () => {
  const { metrics, pass, points, waiting } = running();
  metrics.gauge(DEPTH, () => 4);
  pass(8_000);
  metrics.record(LATENCY, 12, { Model: 'm' });
  metrics.close();
  metrics.close();
  metrics.record(LATENCY, 13, { Model: 'm' });
  metrics.flush();
  expect(points()).toEqual([
    ['QueueDepth', 0, [4]],
    ['QueueDepth', 10, [4]],
    ['Latency', 10, [12]],
  ]);
  expect(waiting()).toBe(0);
});

test('a program that may be frozen can write before the period ends, without reading gauges', () => {
  const { metrics, points } = running();
  metrics.gauge(DEPTH, () => 4);
  metrics.record(LATENCY, 12, { Model: 'm' });
  metrics.flush();
  expect(points()).toEqual([['Latency', 0, [12]]]);
});

test('a timer that fires early does not end the period', () => {
  let nowMs = START_MS;
  let fire = (): void => undefined;
  const { metrics, lines } = running({
    clock: () => nowMs,
    schedule: (callback) => {
      fire = callback;
      return () => undefined;
    },
  });
  metrics.record(DEPTH, 1);
  nowMs += 6_499;
  fire();
  expect(lines).toEqual([]);
  nowMs += 1;
  fire();
  expect(lines).toHaveLength(1);
});

test('a blocked event loop leaves a gap, not a wrong date', () => {
  let nowMs = START_MS;
  let fire = (): void => undefined;
  const { metrics, points } = running({
    clock: () => nowMs,
    schedule: (callback) => {
      fire = callback;
      return () => undefined;
    },
  });
  metrics.record(DEPTH, 1);
  nowMs += 31_000;
  fire();
  metrics.record(DEPTH, 2);
  nowMs += 10_000;
  fire();
  expect(points()).toEqual([
    ['QueueDepth', 0, [1]],
    ['QueueDepth', 30, [2]],
  ]);
});

test('too many dimension values are counted together with one warning per period', () => {
  const { metrics, pass, points, warnings } = running({ seriesPerMetric: 2 });
  for (let i = 0; i < 1_000; i += 1) metrics.record(LATENCY, 1, { Model: `m${String(i)}` });
  pass(10_000);
  expect(points()).toHaveLength(3);
  expect(warnings).toEqual([
    { message: expect.any(String) as unknown, kind: 'too-many-series', metric: 'Latency' },
  ]);
});

test('a writer that fails is reported and the next period is written', () => {
  let broken = true;
  const written: string[] = [];
  const { metrics, pass, warnings } = running({
    write: (line) => {
      if (broken) throw new Error('EPIPE');
      written.push(line);
    },
  });
  metrics.record(DEPTH, 1);
  pass(10_000);
  broken = false;
  metrics.record(DEPTH, 2);
  pass(10_000);
  expect(warnings).toHaveLength(1);
  expect(written).toHaveLength(1);
});

test('a hundred thousand recordings leave one line', () => {
  const { metrics, pass, lines } = running();
  const dimensions = { Model: 'sonnet' };
  for (let i = 0; i < 100_000; i += 1) metrics.record(LATENCY, i % 777, dimensions);
  pass(10_000);
  expect(lines).toHaveLength(1);
  expect(lines[0]?.length).toBeLessThan(16_384);
});

test('dimensions other than those defined do not compile', () => {
  const { metrics } = running();
  metrics.record(LATENCY, 1, { Model: 'm' });
  // @ts-expect-error a dimension is missing
  metrics.record(LATENCY, 1);
  // @ts-expect-error a dimension is missing
  metrics.record(THROTTLES, 1, { Model: 'm' });
  // @ts-expect-error a dimension is misspelt
  metrics.record(LATENCY, 1, { model: 'm' });
  // @ts-expect-error a dimension is not defined
  metrics.record(LATENCY, 1, { Model: 'm', Region: 'r' });
  // @ts-expect-error there are no dimensions
  metrics.record(DEPTH, 1, { Model: 'm' });
  // @ts-expect-error only counters have a natural zero
  metrics.declare(DEPTH);
  expect(metrics).toBeDefined();
});
