import type { Sample } from '../load/orders';
import type { Shape, SystemName, Upstream } from '../plan';
import { percentile } from './statistics';

export interface Percentiles {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/** One system under one load, once. */
export interface Observation {
  readonly system: SystemName;
  readonly upstream: Upstream;
  readonly shape: Shape;
  readonly round: number;
  /** To the first text of a stream, to the last byte of a JSON answer. */
  readonly firstContentMs: Percentiles;
  readonly wholeMs: Percentiles;
  /** How late the load generator was. */
  readonly lateMs: Percentiles;
  /** Of the server's process; of everything Redis and PostgreSQL did meanwhile. */
  readonly cpuMicrosPerRequest: number;
  readonly redisMicrosPerRequest: number;
  readonly postgresMicrosPerRequest: number;
  readonly errors: number;
}

export function percentilesOf(values: Float64Array): Percentiles {
  const sorted = values.toSorted();
  return {
    p50: percentile(sorted, 0.5),
    p95: percentile(sorted, 0.95),
    p99: percentile(sorted, 0.99),
  };
}

export function errorsIn({ errors }: Pick<Sample, 'errors'>): number {
  return Object.values(errors).reduce((sum, count) => sum + count, 0);
}
