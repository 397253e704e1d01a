import { MetricMathError, parseMetricMath } from './metric-math-syntax';
import type { MathNode } from './metric-math-syntax';
import { aggregate, applyOperator, isSeries, lift } from './metric-math-value';
import type { MathValue, TimeSeries } from './metric-math-value';

/** What an expression may refer to. */
export interface MathScope {
  /** The result of another query of the same request. */
  valueOf(id: string): MathValue | undefined;
  /** Every plain metric of the request, for METRICS(). */
  metrics(): readonly TimeSeries[];
  /** Starts of all periods of the request, ascending, for FILL. */
  readonly times: readonly number[];
}

/** Computes a metric math expression: arithmetic, comparisons, IF, FILL and the common aggregates. */
export function evaluateMetricMath(expression: string, scope: MathScope): MathValue {
  return evaluate(parseMetricMath(expression), scope);
}

/** The ids an expression refers to, METRICS() standing for all. */
export function idsIn(node: MathNode): readonly string[] {
  switch (node.kind) {
    case 'number':
      return [];
    case 'id':
      return [node.id];
    case 'list':
      return node.items.flatMap(idsIn);
    case 'call':
      return node.args.flatMap(idsIn);
    case 'negate':
      return idsIn(node.operand);
    case 'binary':
      return [...idsIn(node.left), ...idsIn(node.right)];
  }
}

function evaluate(node: MathNode, scope: MathScope): MathValue {
  switch (node.kind) {
    case 'number':
      return node.value;
    case 'id':
      return known(node.id, scope);
    case 'list':
      return node.items.flatMap((item) => asManySeries(evaluate(item, scope)));
    case 'negate':
      return lift((value = NaN) => -value, evaluate(node.operand, scope));
    case 'binary':
      return applyOperator(node.operator, evaluate(node.left, scope), evaluate(node.right, scope));
    case 'call':
      return call(node.name, node.args, scope);
  }
}

const AGGREGATES: Readonly<Record<string, (values: readonly number[]) => number>> = {
  SUM: (values) => values.reduce((sum, value) => sum + value, 0),
  AVG: (values) => values.reduce((sum, value) => sum + value, 0) / values.length,
  MAX: (values) => Math.max(...values),
  MIN: (values) => Math.min(...values),
};

const POINTWISE: Readonly<Record<string, (value: number) => number>> = {
  ABS: Math.abs,
  CEIL: Math.ceil,
  FLOOR: Math.floor,
};

function call(name: string, args: readonly MathNode[], scope: MathScope): MathValue {
  const fold = Object.hasOwn(AGGREGATES, name) ? AGGREGATES[name] : undefined;
  if (fold !== undefined) return aggregate(fold, evaluate(argument(name, args, 0), scope));
  const pointwise = Object.hasOwn(POINTWISE, name) ? POINTWISE[name] : undefined;
  if (pointwise !== undefined) {
    return lift((value = NaN) => pointwise(value), evaluate(argument(name, args, 0), scope));
  }
  switch (name) {
    case 'METRICS':
      return scope.metrics();
    case 'FILL':
      return fill(evaluate(argument(name, args, 0), scope), argument(name, args, 1), scope);
    case 'IF':
      return choose(name, args, scope);
    default:
      throw new MetricMathError(`The function ${name} is not supported by this local stand-in`);
  }
}

function choose(name: string, args: readonly MathNode[], scope: MathScope): MathValue {
  const [condition, then, otherwise] = [0, 1, 2].map((i) =>
    evaluate(argument(name, args, i), scope),
  );
  if (condition === undefined || then === undefined || otherwise === undefined) return [];
  return lift(
    (test = 0, yes = NaN, no = NaN) => (test !== 0 ? yes : no),
    condition,
    then,
    otherwise,
  );
}

function fill(value: MathValue, filler: MathNode, scope: MathScope): MathValue {
  if (typeof value === 'number') return value;
  if (!isSeries(value)) return value.map((series) => fillSeries(series, filler, scope));
  return fillSeries(value, filler, scope);
}

function fillSeries(series: TimeSeries, filler: MathNode, scope: MathScope): TimeSeries {
  const repeats = filler.kind === 'id' && filler.id === 'REPEAT';
  const constant = repeats ? undefined : evaluate(filler, scope);
  const filled = new Map<number, number>();
  let previous: number | undefined;
  for (const atMs of scope.times) {
    previous = series.get(atMs) ?? (repeats ? previous : at(constant, atMs));
    if (previous !== undefined) filled.set(atMs, previous);
  }
  return filled;
}

function at(value: MathValue | undefined, atMs: number): number | undefined {
  if (value === undefined || typeof value === 'number') return value;
  return isSeries(value) ? value.get(atMs) : undefined;
}

function known(id: string, scope: MathScope): MathValue {
  const value = scope.valueOf(id);
  if (value === undefined) throw new MetricMathError(`No query has the id "${id}"`);
  return value;
}

function argument(name: string, args: readonly MathNode[], index: number): MathNode {
  const found = args[index];
  if (found === undefined) throw new MetricMathError(`${name} needs argument ${index + 1}`);
  return found;
}

function asManySeries(value: MathValue): readonly TimeSeries[] {
  if (typeof value === 'number') throw new MetricMathError('A list may hold only time series');
  return isSeries(value) ? [value] : value;
}
