import type { Reading } from './series';

export interface EmfOptions {
  readonly namespace: string;
  /** Beginning of the period, so that all tasks' readings of it fall together. */
  readonly timestampMs: number;
  /** Further members of each document, for searching logs; not dimensions. */
  readonly properties?: Readonly<Record<string, string>>;
}

const MOST_METRICS = 100;
/** Log drivers that buffer 16 KiB lines split longer ones, and half a document is no metric. */
const MOST_CHARS = 15_000;
const HIGH_RESOLUTION_SECONDS = 1;

/** Readings as CloudWatch embedded metric format, one JSON document per string. */
export function renderEmf(readings: readonly Reading[], options: EmfOptions): string[] {
  const documents: string[] = [];
  for (const group of byDimensions(readings)) {
    for (const part of inParts(group)) documents.push(renderDocument(part, options));
  }
  return documents;
}

/** Dimension sets and values stand once in a document, so only readings that share them may share it. */
function byDimensions(readings: readonly Reading[]): Iterable<Reading[]> {
  const groups = new Map<string, Reading[]>();
  for (const reading of readings) {
    const key = JSON.stringify([setsOf(reading), reading.dimensionValues]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [reading]);
    else group.push(reading);
  }
  return groups.values();
}

function setsOf({ definition }: Reading): (readonly string[])[] {
  return definition.alsoWhole ? [definition.dimensions, []] : [definition.dimensions];
}

function inParts(readings: readonly Reading[]): Reading[][] {
  const parts: Reading[][] = [];
  let part: Reading[] = [];
  let chars = 0;
  for (const reading of readings) {
    const size = charsOf(reading);
    if (part.length === 0 || part.length >= MOST_METRICS || chars + size > MOST_CHARS) {
      part = [];
      chars = 0;
      parts.push(part);
    }
    part.push(reading);
    chars += size;
  }
  return parts;
}

function charsOf(reading: Reading): number {
  return JSON.stringify([directiveOf(reading), targetOf(reading)]).length;
}

function renderDocument(readings: readonly Reading[], options: EmfOptions): string {
  const first = readings[0];
  const names = first?.definition.dimensions ?? [];
  return JSON.stringify({
    ...options.properties,
    ...Object.fromEntries(names.map((name, i) => [name, first?.dimensionValues[i]])),
    ...Object.fromEntries(readings.map((each) => [each.definition.name, targetOf(each)])),
    _aws: {
      Timestamp: options.timestampMs,
      CloudWatchMetrics: [
        {
          Namespace: options.namespace,
          Dimensions: first ? setsOf(first) : [],
          Metrics: readings.map(directiveOf),
        },
      ],
    },
  });
}

function directiveOf({ definition }: Reading): object {
  return {
    Name: definition.name,
    Unit: definition.unit,
    StorageResolution: HIGH_RESOLUTION_SECONDS,
  };
}

/** Distributions in the histogram form that CloudWatch's own agents write: percentiles work on it. */
function targetOf({ value }: Reading): number | object {
  if (typeof value === 'number') return value;
  return {
    Values: value.values,
    Counts: value.counts,
    Min: value.min,
    Max: value.max,
    Count: value.count,
    Sum: value.sum,
  };
}
