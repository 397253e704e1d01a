import type { Operator } from './metric-math-syntax';

/** Values by time; a time without a value is missing data. */
export type TimeSeries = ReadonlyMap<number, number>;

/** A number, a series, or (from a list or METRICS()) several series. */
export type MathValue = number | TimeSeries | readonly TimeSeries[];

export function isSeries(value: MathValue): value is TimeSeries {
  return value instanceof Map;
}

/** Applies a function of numbers wherever every series among its operands has a value. */
export function lift(apply: (...numbers: number[]) => number, ...operands: MathValue[]): MathValue {
  const lengths = operands.flatMap((operand) => (isMany(operand) ? [operand.length] : []));
  if (lengths.length > 0) {
    return Array.from({ length: Math.max(...lengths) }, (_, i) =>
      liftSeries(
        apply,
        operands.map((operand) => (isMany(operand) ? (operand[i] ?? NO_DATA) : operand)),
      ),
    );
  }
  const single = operands.filter(isSingle);
  return single.some(isSeries)
    ? liftSeries(apply, single)
    : apply(...single.filter((operand) => typeof operand === 'number'));
}

const NO_DATA: TimeSeries = new Map();

function isMany(value: MathValue): value is readonly TimeSeries[] {
  return Array.isArray(value);
}

function isSingle(value: MathValue): value is number | TimeSeries {
  return !isMany(value);
}

function liftSeries(
  apply: (...numbers: number[]) => number,
  operands: readonly (number | TimeSeries)[],
): TimeSeries {
  const times = operands.find(isSeries)?.keys() ?? [];
  const result = new Map<number, number>();
  for (const atMs of times) {
    const numbers = operands.map((operand) => (isSeries(operand) ? operand.get(atMs) : operand));
    const known = numbers.filter((number) => number !== undefined);
    const value = known.length === numbers.length ? apply(...known) : NaN;
    // A division by zero has no datapoint.
    if (Number.isFinite(value)) result.set(atMs, value);
  }
  return result;
}

const COMPUTE: Readonly<Record<Operator, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '^': (a, b) => a ** b,
  '<': (a, b) => Number(a < b),
  '>': (a, b) => Number(a > b),
  '<=': (a, b) => Number(a <= b),
  '>=': (a, b) => Number(a >= b),
  '==': (a, b) => Number(a === b),
  '!=': (a, b) => Number(a !== b),
};

export function applyOperator(operator: Operator, left: MathValue, right: MathValue): MathValue {
  const compute = COMPUTE[operator];
  return lift((a = NaN, b = NaN) => compute(a, b), left, right);
}

/** A list folds to one series over every time any member knows; a series folds to a number. */
export function aggregate(
  fold: (values: readonly number[]) => number,
  value: MathValue,
): number | TimeSeries {
  if (typeof value === 'number') return value;
  if (isSeries(value)) return fold([...value.values()]);
  const times = new Set(value.flatMap((series) => [...series.keys()]));
  return new Map(
    [...times].map((atMs) => {
      const known = value.map((series) => series.get(atMs));
      return [atMs, fold(known.filter((number) => number !== undefined))];
    }),
  );
}
