import { readFileSync, writeFileSync } from 'node:fs';
import { buildPrograms } from '@matsuri/local';
import { startReport } from '@matsuri/telemetry';
import { check, describeViolations } from '../harness/checker/check';
import type { Evidence } from '../harness/evidence';
import { faultPlan } from '../harness/faults/fault-plan';
import { mixedRun } from '../harness/mixed-run';
import { parseOptions, USAGE, type GatewayChaosOptions } from './options';
import { runFigures, runTables } from './run-figures';

const GATEWAYS = 3;
const CALLS_AT_ONCE = 60;
const CALLS_PER_FAULT = 120;

export const gatewayChaos = {
  summary: 'calls, departures, misbehaving models, kill -9, faults of Redis and PostgreSQL',
  usage: USAGE,
  async run(args: readonly string[]): Promise<boolean> {
    const options = parseOptions(args);
    return options.recheck === undefined ? perform(options) : recheck(options.recheck);
  },
};

async function perform({ calls, seed, faults }: GatewayChaosOptions): Promise<boolean> {
  await buildPrograms();
  const report = startReport({ command: 'chaos', name: 'gateway', seed });
  const plan = { seed, calls, places: GATEWAYS, everyCalls: CALLS_PER_FAULT };
  const result = await mixedRun({
    seed,
    calls,
    gateways: GATEWAYS,
    atOnce: CALLS_AT_ONCE,
    faults: faults ? faultPlan(plan) : [],
    ownPostgres: true,
    orphans: 'wait',
    onProgress: (ended, label) => report.progress(ended, calls, label),
  });
  const { violations, evidence } = result;
  for (const rows of runTables(result)) report.table(rows);
  const path = report.write({
    calls,
    gateways: GATEWAYS,
    ...runFigures(result),
  });
  if (violations.length === 0) {
    report.note(
      `Every promise held. Repeat with: pnpm chaos gateway --calls ${calls} --seed ${seed}`,
    );
    return true;
  }
  const kept = path.replace(/\.json$/, '-evidence.json');
  writeFileSync(kept, JSON.stringify(evidence));
  report.note(describeViolations(violations));
  report.note(`Repeat with: pnpm chaos gateway --calls ${calls} --seed ${seed}`);
  report.note(`Look again with: pnpm chaos gateway --recheck ${kept}`);
  return false;
}

/** The checker needs nothing but the evidence: what a run kept can be checked again, by a newer checker too. */
function recheck(path: string): boolean {
  const evidence = JSON.parse(readFileSync(path, 'utf8')) as Evidence;
  const violations = check(evidence);
  process.stdout.write(`${describeViolations(violations, 200)}\n${violations.length} violations\n`);
  return violations.length === 0;
}
