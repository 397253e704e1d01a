/** Which series a number belongs to. */
export interface MetricIdentity {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
}

/** Several samples already summed up by the sender; percentiles cannot be taken from it. */
export interface StatisticSet {
  readonly sum: number;
  readonly sampleCount: number;
  readonly minimum: number;
  readonly maximum: number;
}

/** Samples of one series at one time. */
export interface MetricDatum extends MetricIdentity {
  /** @default the time of arrival */
  readonly timestampMs?: number;
  readonly unit?: string;
  /** 1 keeps seconds apart, 60 keeps minutes. @default 60 */
  readonly storageResolutionSeconds?: 1 | 60;
  readonly samples: readonly WeightedSample[] | StatisticSet;
}

interface WeightedSample {
  readonly value: number;
  readonly count: number;
}

/** One point of a series or of an expression over series. */
export interface Datapoint {
  readonly atMs: number;
  readonly value: number;
}

export function metricKey({ namespace, name, dimensions }: MetricIdentity): string {
  const sorted = Object.entries(dimensions).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([namespace, name, sorted]);
}
