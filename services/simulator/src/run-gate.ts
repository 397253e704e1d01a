import { startReport } from '@matsuri/telemetry';
import type { PlatformConfiguration } from '@matsuri/contract';

import type { GateOptions } from './command-line';
import { startUpOf } from './core/platform/start-up';
import { MOST_VIOLATED_SHARE, findingsOf } from './core/year/findings';
import { liveYear } from './core/year/live-year';
import { findingText, spellRows, totalRow, yearFigures } from './core/year/year-presentation';

/** Lives through the coming calendar of an environment; true when it keeps its promises. */
export function runGate(options: GateOptions, platform: PlatformConfiguration): boolean {
  const { days, seed, environment, startupSeconds, variance } = options;
  const { orchestrator } = platform;
  const taskStartSeconds = startupSeconds ?? orchestrator.taskStartSeconds;
  const configuration = { ...platform, orchestrator: { ...orchestrator, taskStartSeconds } };
  const report = startReport({
    command: 'simulate',
    name: `gate-${environment}`,
    seed,
    timeless: true,
  });
  const outcome = liveYear({
    configuration,
    fromMs: options.fromMs,
    days,
    startUp: startUpOf(taskStartSeconds, { variance, seed }),
    seed,
    progress: (day) => report.progress(day, days, `${environment}, day ${day}`),
  });
  const findings = findingsOf(outcome, configuration);
  const { timeZone } = configuration.calendar;
  report.table(spellRows(outcome, timeZone));
  report.table([totalRow(outcome)]);
  report.write(yearFigures(outcome, findings, taskStartSeconds));
  if (findings.length === 0) {
    report.note(
      `${environment} keeps its promises for ${days} days: no event and no day has more than ` +
        `${MOST_VIOLATED_SHARE * 100} % of its messages late or refused, and no budget is passed.`,
    );
    return true;
  }
  report.note(`${environment} would break what it promises:\n`);
  for (const finding of findings) report.note(`${findingText(finding, timeZone)}\n`);
  return false;
}
