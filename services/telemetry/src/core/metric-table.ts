import type { MetricDefinition } from '@matsuri/contract';

import type { Reading, Series } from './series';
import { addTo, newSeries, takeReading } from './series';
import { scrubSecrets } from './scrub-text';

/** Something recorded that cannot be published as it is; said once per metric and period. */
export interface MetricProblem {
  readonly kind: 'too-many-series' | 'invalid-dimension' | 'invalid-value';
  readonly metric: string;
}

/** The series of one metric, found by one look-up per dimension, without building a key. */
interface Branch {
  series: Series | undefined;
  readonly children: Map<string, Branch>;
}

interface MetricEntry {
  root: Branch;
  series: Series[];
}

/** All that was recorded in the running period. Bounded: see `MetricLimits`. */
export interface MetricTable {
  readonly limits: MetricLimits;
  readonly metrics: Map<string, MetricEntry>;
  readonly problems: Map<string, MetricProblem>;
}

export interface MetricLimits {
  /** Different sets of dimension values of one metric; further ones are counted together. */
  readonly seriesPerMetric: number;
  /** A series not recorded for so many periods is forgotten, unless it was declared. */
  readonly idlePeriods: number;
}

/** The value of every dimension of the series that takes what has no room of its own. */
export const OVERFLOW_VALUE = 'Other';

/** What CloudWatch accepts, and a length that keeps documents small. */
const DIMENSION_VALUE = /^(?!:)(?=.*\S)[ -~]{1,200}$/;
/** CloudWatch rejects larger magnitudes. */
const LARGEST_VALUE = 2 ** 360;

export type DimensionValues = Readonly<Record<string, string>>;

export function newMetricTable(limits: MetricLimits): MetricTable {
  return { limits, metrics: new Map(), problems: new Map() };
}

/** Adds one recording. A million of these a second must not be felt. */
export function record(
  table: MetricTable,
  definition: MetricDefinition,
  value: number,
  dimensions: DimensionValues,
): void {
  // Also false for NaN.
  if (!(Math.abs(value) <= LARGEST_VALUE)) {
    note(table, 'invalid-value', definition.name);
    return;
  }
  addTo(seriesFor(table, definition, dimensions), value);
}

/** Makes a counter report zero from now on, even before anything was counted. */
export function declare(
  table: MetricTable,
  definition: MetricDefinition,
  dimensions: DimensionValues,
): void {
  seriesFor(table, definition, dimensions).declared = definition.aggregate === 'sum';
}

/** Ends the period: what every series came to. Series idle for long are forgotten. */
export function takeReadings(table: MetricTable): Reading[] {
  const readings: Reading[] = [];
  for (const entry of table.metrics.values()) {
    for (const series of entry.series) {
      const reading = takeReading(series);
      if (reading !== undefined) readings.push(reading);
    }
    forgetIdle(entry, table.limits.idlePeriods);
  }
  return readings;
}

export function takeProblems(table: MetricTable): MetricProblem[] {
  const problems = [...table.problems.values()];
  table.problems.clear();
  return problems;
}

function seriesFor(
  table: MetricTable,
  definition: MetricDefinition,
  dimensions: DimensionValues,
): Series {
  let branch = table.metrics.get(definition.name)?.root;
  for (const name of definition.dimensions) branch = branch?.children.get(dimensions[name] ?? '');
  return branch?.series ?? admit(table, definition, dimensions);
}

/** The slow path, taken by the first recording of a series and by every one that overflows. */
function admit(
  table: MetricTable,
  definition: MetricDefinition,
  dimensions: DimensionValues,
): Series {
  const { name } = definition;
  const entry = entryFor(table, name);
  const values = definition.dimensions.map((dimension) => dimensions[dimension] ?? '');
  if (!values.every(isPublishable)) {
    note(table, 'invalid-dimension', name);
  } else if (values.length > 0 && entry.series.length >= table.limits.seriesPerMetric) {
    note(table, 'too-many-series', name);
  } else {
    return plant(entry, definition, values);
  }
  return plant(
    entry,
    definition,
    values.map(() => OVERFLOW_VALUE),
  );
}

function isPublishable(value: string): boolean {
  return DIMENSION_VALUE.test(value) && scrubSecrets(value) === value;
}

function entryFor(table: MetricTable, name: string): MetricEntry {
  const known = table.metrics.get(name);
  if (known !== undefined) return known;
  const entry: MetricEntry = { root: emptyBranch(), series: [] };
  table.metrics.set(name, entry);
  return entry;
}

function emptyBranch(): Branch {
  return { series: undefined, children: new Map() };
}

function plant(entry: MetricEntry, definition: MetricDefinition, values: string[]): Series {
  const leaf = leafFor(entry.root, values);
  if (leaf.series !== undefined) return leaf.series;
  leaf.series = newSeries(definition, values);
  entry.series.push(leaf.series);
  return leaf.series;
}

function leafFor(root: Branch, values: readonly string[]): Branch {
  let branch = root;
  for (const value of values) {
    const child = branch.children.get(value) ?? emptyBranch();
    branch.children.set(value, child);
    branch = child;
  }
  return branch;
}

function forgetIdle(entry: MetricEntry, idlePeriods: number): void {
  const kept = entry.series.filter((series) => series.declared || series.idlePeriods < idlePeriods);
  if (kept.length === entry.series.length) return;
  entry.series = kept;
  entry.root = emptyBranch();
  for (const series of kept) leafFor(entry.root, series.dimensionValues).series = series;
}

function note(table: MetricTable, kind: MetricProblem['kind'], metric: string): void {
  const key = `${kind} ${metric}`;
  if (!table.problems.has(key)) table.problems.set(key, { kind, metric });
}
