import type { Members } from './json-members';
import { isMembers, parseMembers } from './json-members';

/** One metric at one moment, as CloudWatch would store it from an embedded metric document. */
export interface MetricPoint {
  readonly namespace: string;
  readonly name: string;
  readonly unit: string;
  readonly storageResolutionSeconds: 1 | 60;
  readonly timestampMs: number;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly samples: readonly MetricSample[];
}

/** A value and how often it occurred. */
export interface MetricSample {
  readonly value: number;
  readonly count: number;
}

/**
 * Reads the metrics out of a log line, or `undefined` when the line is not an embedded metric
 * document. As in CloudWatch, a metric without a usable value is left out, the others count.
 */
export function parseEmf(line: string): readonly MetricPoint[] | undefined {
  if (!line.includes('"CloudWatchMetrics"')) return undefined;
  const root = parseMembers(line);
  const metadata = root?.['_aws'];
  if (root === undefined || !isMembers(metadata)) return undefined;
  const { Timestamp: timestampMs, CloudWatchMetrics: directives } = metadata;
  if (typeof timestampMs !== 'number' || !Array.isArray(directives)) return undefined;
  return directives.flatMap((directive) => pointsOf(directive, root, timestampMs));
}

function pointsOf(directive: unknown, root: Members, timestampMs: number): MetricPoint[] {
  if (!isMembers(directive) || typeof directive['Namespace'] !== 'string') return [];
  const namespace = directive['Namespace'];
  const dimensionSets = listOf(directive['Dimensions']).flatMap((set) => dimensionsOf(set, root));
  return listOf(directive['Metrics']).flatMap((metric) => {
    const reading = readingOf(metric, root);
    if (reading === undefined) return [];
    return dimensionSets.map((dimensions) => ({ namespace, timestampMs, dimensions, ...reading }));
  });
}

function dimensionsOf(set: unknown, root: Members): Record<string, string>[] {
  const dimensions: Record<string, string> = {};
  for (const name of listOf(set)) {
    const value = typeof name === 'string' ? root[name] : undefined;
    if (typeof name !== 'string' || typeof value !== 'string') return [];
    dimensions[name] = value;
  }
  return [dimensions];
}

type MetricReading = Omit<MetricPoint, 'namespace' | 'timestampMs' | 'dimensions'>;

function readingOf(metric: unknown, root: Members): MetricReading | undefined {
  if (!isMembers(metric) || typeof metric['Name'] !== 'string') return undefined;
  const { Name: name, Unit: unit } = metric;
  const samples = samplesOf(root[name]);
  if (samples === undefined) return undefined;
  return {
    name,
    unit: typeof unit === 'string' ? unit : 'None',
    storageResolutionSeconds: metric['StorageResolution'] === 1 ? 1 : 60,
    samples,
  };
}

/** A number, a list of numbers, or a histogram of values and their counts. */
function samplesOf(target: unknown): readonly MetricSample[] | undefined {
  if (typeof target === 'number') return [{ value: target, count: 1 }];
  if (isNumbers(target)) return target.map((value) => ({ value, count: 1 }));
  if (!isMembers(target)) return undefined;
  const { Values: values, Counts: counts } = target;
  const matching = isNumbers(values) && isNumbers(counts) && values.length === counts.length;
  return matching ? values.map((value, i) => ({ value, count: counts[i] ?? 0 })) : undefined;
}

function isNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'number');
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
