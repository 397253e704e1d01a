import type { Datapoint, MetricIdentity } from './metric';
import { evaluateMetricMath, idsIn } from './metric-math';
import { MetricMathError, parseMetricMath } from './metric-math-syntax';
import { isSeries } from './metric-math-value';
import type { MathValue, TimeSeries } from './metric-math-value';
import { floorTo } from './metric-series';
import type { MetricStore } from './metric-store';

/** One line of GetMetricData or of a metric math alarm. */
export interface MetricQuery {
  readonly id: string;
  readonly source:
    | {
        readonly kind: 'metric';
        readonly metric: MetricIdentity;
        readonly statistic: string;
        readonly periodMs: number;
      }
    | { readonly kind: 'expression'; readonly expression: string; readonly periodMs?: number };
  readonly label?: string;
  readonly returnData: boolean;
}

export interface MetricResult {
  readonly id: string;
  readonly label: string;
  /** Ascending in time. */
  readonly points: readonly Datapoint[];
}

export interface TimeRange {
  readonly startMs: number;
  readonly endMs: number;
  /** Where periods begin: at whole multiples of themselves, or counted from `startMs`. */
  readonly alignment: 'epoch' | 'start';
}

/** Answers a set of queries that may refer to one another by id. */
export function answerQueries(
  store: MetricStore,
  queries: readonly MetricQuery[],
  range: TimeRange,
  nowMs: number,
): MetricResult[] {
  const answers = new Map<string, MathValue>();
  const inProgress = new Set<string>();

  const valueOf = (id: string): MathValue | undefined => {
    const query = queries.find((candidate) => candidate.id === id);
    if (query === undefined) return undefined;
    const known = answers.get(id);
    if (known !== undefined) return known;
    if (inProgress.has(id)) throw new MetricMathError(`The expression "${id}" refers to itself`);
    inProgress.add(id);
    const value = compute(query);
    answers.set(id, value);
    return value;
  };

  const compute = ({ source }: MetricQuery): MathValue => {
    if (source.kind === 'metric') return readMetric(store, source, range, nowMs);
    return evaluateMetricMath(source.expression, {
      valueOf,
      metrics: () =>
        queries.flatMap((query) =>
          query.source.kind === 'metric' ? [readMetric(store, query.source, range, nowMs)] : [],
        ),
      times: periodStarts(queries, source.expression, range),
    });
  };

  return queries
    .filter(({ returnData }) => returnData)
    .flatMap((query) => results(query, valueOf(query.id) ?? []));
}

function readMetric(
  store: MetricStore,
  source: MetricQuery['source'] & { readonly kind: 'metric' },
  range: TimeRange,
  nowMs: number,
): TimeSeries {
  const { metric, statistic, periodMs } = source;
  const startMs = firstPeriod(range, periodMs);
  const points = store.read(metric, { statistic, periodMs, startMs, endMs: range.endMs }, nowMs);
  return new Map(points.map(({ atMs, value }) => [atMs, value]));
}

function firstPeriod(range: TimeRange, periodMs: number): number {
  return range.alignment === 'epoch' ? floorTo(range.startMs, periodMs) : range.startMs;
}

function periodStarts(
  queries: readonly MetricQuery[],
  expression: string,
  range: TimeRange,
): number[] {
  const periodMs = periodOf(queries, expression);
  const startMs = firstPeriod(range, periodMs);
  const count = Math.max(Math.ceil((range.endMs - startMs) / periodMs), 0);
  return Array.from({ length: count }, (_, i) => startMs + i * periodMs);
}

const DEFAULT_PERIOD_MS = 60_000;

function periodOf(queries: readonly MetricQuery[], expression: string): number {
  const named = idsIn(parseMetricMath(expression));
  const periods = queries.flatMap(({ id, source }) =>
    source.periodMs !== undefined && (named.length === 0 || named.includes(id))
      ? [source.periodMs]
      : [],
  );
  return periods.length === 0 ? DEFAULT_PERIOD_MS : Math.max(...periods);
}

function results(query: MetricQuery, value: MathValue): MetricResult[] {
  if (typeof value === 'number') {
    throw new MetricMathError(`The expression "${query.id}" is a single number, not a time series`);
  }
  const label =
    query.label ?? (query.source.kind === 'metric' ? query.source.metric.name : query.id);
  return (isSeries(value) ? [value] : value).map((series) => ({
    id: query.id,
    label,
    points: [...series]
      .map(([atMs, number]) => ({ atMs, value: number }))
      .sort((a, b) => a.atMs - b.atMs),
  }));
}
