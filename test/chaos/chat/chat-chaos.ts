import { parseArgs } from 'node:util';
import { buildPrograms } from '@matsuri/local';
import { startReport } from '@matsuri/telemetry';
import { freshSeed } from '../harness/seeded-random';
import { rollingRestart, type RollingRestartResult } from './rolling-restart';

const USAGE = `Usage: pnpm chaos chat [options]

Orchestrators behind the local balancer, restarted one after the other under the load of live WebSocket sessions; then
again with a balancer that cuts connections before the drain is over. Every message must end once, and say what the
model said.

  --sessions <n>   live sessions (default 500)
  --restarts <n>   restarts in each of the two runs (default 20)
  --seed <n>       repeats the questions of an earlier run (default: a new one, printed)

Loopback only. Figures go to .reports/chaos-chat.json.
`;

const SHOWN_VIOLATIONS = 20;
/** Longer than a drain, and shorter than one. */
const PATIENT_MS = 120_000;
const IMPATIENT_MS = 1_000;
const EVERY_MS = 25_000;

export const chatChaos = {
  summary: 'rolling restarts under live sessions: no answer lost, doubled or cut',
  usage: USAGE,
  async run(args: readonly string[]): Promise<boolean> {
    const { values } = parseArgs({
      args: [...args],
      options: {
        sessions: { type: 'string', default: '500' },
        restarts: { type: 'string', default: '20' },
        seed: { type: 'string' },
      },
    });
    const seed = Number(values.seed ?? freshSeed());
    const sessions = Number(values.sessions);
    const restarts = Number(values.restarts);
    const report = startReport({ command: 'chaos', name: 'chat', seed });
    await buildPrograms('orchestrator');
    const load = { sessions, restarts, seed, everyMs: EVERY_MS, onProgress: report.progress };
    const patient = await rollingRestart({ ...load, deregistrationDelayMs: PATIENT_MS });
    const cut = await rollingRestart({ ...load, deregistrationDelayMs: IMPATIENT_MS });
    report.table([rowOf('drained', patient), rowOf('cut by the balancer', cut)]);
    const violations = [...patient.violations, ...cut.violations];
    for (const violation of violations.slice(0, SHOWN_VIOLATIONS)) report.note(violation);
    report.write({
      sessions,
      ...figuresOf('drained', patient),
      ...figuresOf('cut', cut),
      violations: violations.length,
    });
    const enoughMidway = [patient, cut].every(({ midway }) => 2 * midway >= restarts);
    if (!enoughMidway) report.note('fewer than half of the restarts hit a stream midway');
    return violations.length === 0 && enoughMidway;
  },
};

function rowOf(run: string, result: RollingRestartResult) {
  return {
    run,
    messages: result.messages,
    restarts: result.restarts,
    midway: result.midway,
    connections: result.connections,
    'interrupted answers': result.interruptedAnswers,
    'slowest exit ms': Math.round(result.slowestExitMs),
    violations: result.violations.length,
  };
}

function figuresOf(prefix: string, result: RollingRestartResult) {
  return {
    [`${prefix}_messages`]: result.messages,
    [`${prefix}_restarts`]: result.restarts,
    [`${prefix}_restarts_midway`]: result.midway,
    [`${prefix}_connections`]: result.connections,
    [`${prefix}_interrupted_answers`]: result.interruptedAnswers,
    [`${prefix}_slowest_exit_ms`]: result.slowestExitMs,
  };
}
