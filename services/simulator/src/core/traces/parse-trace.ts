import { TraceFormatError, type RateTrace, type RequestTrace, type Trace } from './trace';

const REQUEST_COLUMNS = ['t_s', 'input_tokens', 'output_tokens'];
const RATE_COLUMNS = ['t_s', 'rps', 'rate_weighted_cv', 'active_clients'];

/** Reads either shape of trace from the text of a CSV file; the header line tells them apart. */
export function parseTrace(name: string, text: string): Trace {
  const [header = '', ...lines] = text.trim().split(/\r?\n/);
  const columns = header
    .replace(/^\uFEFF/, '')
    .split(',')
    .map((it) => it.trim());
  if (same(columns, REQUEST_COLUMNS)) return requestTrace(name, rowsOf(name, lines, columns));
  if (same(columns, RATE_COLUMNS)) return rateTrace(name, rowsOf(name, lines, columns));
  const shapes = [REQUEST_COLUMNS, RATE_COLUMNS].map((it) => it.join(',')).join(' or ');
  throw new TraceFormatError(name, 1, `the columns must be ${shapes}, not ${header.slice(0, 80)}`);
}

type Row = readonly number[];

function rowsOf(name: string, lines: readonly string[], columns: readonly string[]): Row[] {
  if (lines.length === 0) throw new TraceFormatError(name, 1, 'there is nothing below the header');
  return lines.map((line, index) => rowOf(name, line, index + 2, columns));
}

function rowOf(name: string, line: string, number: number, columns: readonly string[]): Row {
  const fields = line.split(',');
  if (fields.length !== columns.length) {
    throw new TraceFormatError(
      name,
      number,
      `${fields.length} fields where ${columns.length} are due`,
    );
  }
  return fields.map((field, column) => {
    const value = field.trim() === '' ? Number.NaN : Number(field);
    if (Number.isFinite(value) && value >= 0) return value;
    const what = `${columns[column] ?? ''} is ${JSON.stringify(field.slice(0, 40))}`;
    throw new TraceFormatError(name, number, `${what}, not a number from 0 up`);
  });
}

function requestTrace(name: string, rows: readonly Row[]): RequestTrace {
  const requests = rows
    .map(([atSeconds = 0, inputTokens = 0, outputTokens = 0]) => ({
      atSeconds,
      inputTokens,
      outputTokens,
    }))
    .sort((a, b) => a.atSeconds - b.atSeconds);
  return { kind: 'requests', name, requests };
}

function rateTrace(name: string, rows: readonly Row[]): RateTrace {
  const [first, second] = rows;
  const windowSeconds = (second?.[0] ?? 0) - (first?.[0] ?? 0);
  if (!Number.isInteger(windowSeconds) || windowSeconds < 1) {
    throw new TraceFormatError(name, 3, 'windows must be whole seconds, two at least, in order');
  }
  rows.forEach(([at = 0], index) => {
    if (at === (first?.[0] ?? 0) + index * windowSeconds) return;
    throw new TraceFormatError(
      name,
      index + 2,
      `the window does not begin ${windowSeconds} s after the last`,
    );
  });
  return { kind: 'rates', name, windowSeconds, requestsPerSecond: rows.map(([, rps = 0]) => rps) };
}

function same(columns: readonly string[], expected: readonly string[]): boolean {
  return columns.length === expected.length && columns.every((it, index) => it === expected[index]);
}
