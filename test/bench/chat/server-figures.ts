import { METRICS, type MetricDefinition } from '@matsuri/contract';
import { parseEmf, type MetricPoint } from '@matsuri/telemetry';

import { percentile } from '../gateway/measure/statistics';

/** What the server itself published between two moments. */
export interface ServerFigures {
  /** `NaN` where nothing was recorded. */
  readonly percentileOf: (metric: MetricDefinition, share: number) => number;
  readonly sumOf: (metric: MetricDefinition) => number;
  readonly maxOf: (metric: MetricDefinition) => number;
  readonly exhaustionRate: number;
}

export function readServerFigures(output: string, sinceMs: number, untilMs: number): ServerFigures {
  const points = output
    .split('\n')
    .flatMap((line) => parseEmf(line) ?? [])
    .filter(({ timestampMs }) => timestampMs >= sinceMs && timestampMs <= untilMs);
  const valuesOf = ({ name }: MetricDefinition): Float64Array =>
    Float64Array.from(points.filter((point) => point.name === name).flatMap(spread)).sort();
  const sumOf = (metric: MetricDefinition): number =>
    valuesOf(metric).reduce((sum, value) => sum + value, 0);
  return {
    percentileOf: (metric, share) => percentile(valuesOf(metric), share),
    sumOf,
    maxOf: (metric) => valuesOf(metric).at(-1) ?? Number.NaN,
    exhaustionRate: sumOf(METRICS.poolAcquireTimeouts) / Math.max(1, sumOf(METRICS.poolAcquires)),
  };
}

function spread({ samples }: MetricPoint): number[] {
  return samples.flatMap(({ value, count }) => Array.from({ length: count }, () => value));
}
