import type { Figures, TableRow } from '@matsuri/telemetry';
import type { Invariant } from '../harness/checker/violation';
import { isEnding } from '../harness/history';
import type { MixedRunResult } from '../harness/mixed-run';

const PROMISES: readonly [Invariant, string][] = [
  ['I1', 'every request has exactly one ending'],
  ['I2', 'the ledger equals what the models saw'],
  ['I3', 'no interval has more grants than its limit'],
  ['I4', 'never more calls than slots; departures end calls'],
  ['I9', 'open breakers reject, half-open ones probe'],
  ['words', 'nothing lost, doubled or spliced'],
  ['quiet', 'nothing open once nothing happens'],
];

/** How the calls ended, and what became of each promise, as tables for a person. */
export function runTables(result: MixedRunResult): readonly (readonly TableRow[])[] {
  const { violations, evidence, injected } = result;
  return [
    [...countedBy(evidence.history.filter(isEnding), ({ ending }) => ending)].map(
      ([ending, calls]) => ({ ending, calls }),
    ),
    [...countedBy(evidence.upstream, ({ script }) => script)].map(([script, attempts]) => ({
      script,
      attempts,
    })),
    [...injected].map(([fault, times]) => ({ fault, times })),
    PROMISES.map(([invariant, promise]) => ({
      invariant,
      promise,
      violations: violations.filter((it) => it.invariant === invariant).length,
    })),
  ].filter((rows) => rows.length > 0);
}

/** The same for a machine. */
export function runFigures({ violations, evidence, injected }: MixedRunResult): Figures {
  const endings = countedBy(evidence.history.filter(isEnding), ({ ending }) => ending);
  const statuses = countedBy(evidence.rows, ({ status }) => status);
  const figures: Record<string, number> = {
    violations: violations.length,
    attempts: evidence.upstream.length,
    ledger_rows: evidence.rows.length,
    faults: [...injected.values()].reduce((sum, times) => sum + times, 0),
    scripts_met: new Set(evidence.upstream.map(({ script }) => script)).size,
    breaker_transitions: evidence.transitions.length,
  };
  for (const [ending, count] of endings) figures[`calls_${ending.replace('-', '_')}`] = count;
  for (const [status, count] of statuses) figures[`rows_${status}`] = count;
  for (const [invariant] of PROMISES) {
    const key = `violations_${invariant.toLowerCase()}`;
    figures[key] = violations.filter((it) => it.invariant === invariant).length;
  }
  return figures;
}

function countedBy<T>(items: readonly T[], nameOf: (item: T) => string): Map<string, number> {
  const groups = Map.groupBy(items, nameOf);
  return new Map(
    [...groups].map(([name, own]) => [name, own.length] as const).sort((a, b) => b[1] - a[1]),
  );
}
