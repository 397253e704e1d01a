import type { MetricDefinition } from '@matsuri/contract';

import type { Distribution, ValueCounts } from './distribution';
import { emptyDistribution, forget, observe, valueCounts } from './distribution';

/** One metric with one set of dimension values, in the period that is running. */
export interface Series {
  readonly definition: MetricDefinition;
  /** In the order of the definition. */
  readonly dimensionValues: readonly string[];
  /** Declared series report zero when nothing happened, so that silence means a dead program. */
  declared: boolean;
  recordings: number;
  /** Running sum, maximum or last value, as the definition asks. */
  value: number;
  readonly distribution: Distribution | undefined;
  idlePeriods: number;
}

/** What one series came to in one period. */
export interface Reading {
  readonly definition: MetricDefinition;
  readonly dimensionValues: readonly string[];
  readonly value: number | DistributionReading;
}

interface DistributionReading extends ValueCounts {
  readonly count: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
}

export function newSeries(
  definition: MetricDefinition,
  dimensionValues: readonly string[],
): Series {
  return {
    definition,
    dimensionValues,
    declared: false,
    recordings: 0,
    value: 0,
    distribution: definition.aggregate === 'distribution' ? emptyDistribution() : undefined,
    idlePeriods: 0,
  };
}

/** The hot path: changes numbers in place and allocates nothing. */
export function addTo(series: Series, value: number): void {
  switch (series.definition.aggregate) {
    case 'sum':
      series.value += value;
      break;
    case 'max':
      if (series.recordings === 0 || value > series.value) series.value = value;
      break;
    case 'last':
      series.value = value;
      break;
    case 'distribution':
      if (series.distribution !== undefined) observe(series.distribution, value);
      break;
  }
  series.recordings += 1;
}

/** Ends the period of one series: its reading, if there is one, and a fresh start. */
export function takeReading(series: Series): Reading | undefined {
  const silent = series.recordings === 0;
  series.idlePeriods = silent ? series.idlePeriods + 1 : 0;
  const { definition, dimensionValues } = series;
  const reading =
    silent && !series.declared
      ? undefined
      : { definition, dimensionValues, value: readingOf(series) };
  startOver(series);
  return reading;
}

function readingOf({ distribution, value }: Series): number | DistributionReading {
  if (distribution === undefined) return value;
  const { count, sum, min, max } = distribution;
  return { ...valueCounts(distribution), count, sum, min, max };
}

function startOver(series: Series): void {
  series.recordings = 0;
  series.value = 0;
  if (series.distribution !== undefined) forget(series.distribution);
}
