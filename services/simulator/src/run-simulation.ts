import { relative } from 'node:path';

import { startReport, type Report } from '@matsuri/telemetry';

import type { SimulateOptions } from './command-line';
import { METRIC_DELAY_SECONDS } from './core/native/alarm';
import { sceneOf, type Scene } from './core/platform/scene';
import { startUpOf, type StartUp } from './core/platform/start-up';
import { CALENDAR_READERS, POLICIES, type PolicyName } from './core/policies/policies';
import {
  promiseRow,
  runFigures,
  runRow,
  standingFigures,
  standingRow,
} from './core/suite/presentation';
import { promisesOf } from './core/suite/promises';
import { standings } from './core/suite/standings';
import { oracleOutcome, runPolicy, type SuiteRun } from './core/suite/suite-run';
import { openTraceFolder } from './trace-files';
import { recordedSources, sampleOf, type TrafficSource } from './traffic-sources';
import { writePage } from './write-page';

/** A cold task, a warm one, and one with a large image. */
const STARTUPS = [50, 15, 60] as const;

/** Plays all that was asked for, prints the tables and keeps the figures. */
export function runSimulation(options: SimulateOptions, shipped: readonly TrafficSource[]): void {
  const report = startReport({
    command: 'simulate',
    name: nameOf(options),
    seed: options.seed,
    timeless: true,
  });
  const sources = sourcesOf(options, shipped, report);
  const startups = options.startupSeconds ?? (options.suite ? STARTUPS : STARTUPS.slice(0, 1));
  const policies = options.policies ?? policyNames();
  const perStartup = (source: TrafficSource) =>
    policies.length + (source.announced ? policies.filter(readsCalendar).length : 0);
  const total = sources.reduce((sum, it) => sum + startups.length * perStartup(it), 0);

  const runs: SuiteRun[] = [];
  const begins = (label: string) => report.progress(runs.length, total, label);
  for (const source of sources) {
    begins(`drawing ${source.name}`);
    const startUps = startups.map((seconds) => startUpOf(seconds, options));
    for (const scene of scenesOf(source, startUps, options.suite ? 0 : METRIC_DELAY_SECONDS)) {
      // One start-up time is enough to look at.
      const plotted = scene.limits.startUp === startUps[0];
      play(scene, { policies, plotted, begins, played: (run) => runs.push(run) });
    }
  }
  present(runs, report, options);
}

/** A run of only a part leaves the figures of the whole alone. */
function nameOf(options: SimulateOptions): string {
  const { suite, policies, traces, startupSeconds, variance } = options;
  const chosen = [policies, traces, startupSeconds].some((it) => it !== undefined);
  const whole = !chosen && variance !== suite;
  return `${suite ? 'suite' : 'traffic'}${whole ? '' : '-part'}`;
}

function policyNames(): readonly PolicyName[] {
  return Object.keys(POLICIES).filter((name): name is PolicyName => Object.hasOwn(POLICIES, name));
}

function sourcesOf(
  { tracesFolder, traces, seed }: SimulateOptions,
  shipped: readonly TrafficSource[],
  report: Report,
) {
  if (tracesFolder === undefined) {
    report.note('Only the shipped traffic is played; --traces DIR adds recorded traces.');
  }
  const folder = tracesFolder === undefined ? undefined : openTraceFolder(tracesFolder);
  const recorded = folder === undefined ? [] : recordedSources(folder, seed);
  if (folder !== undefined) {
    report.note(`Requests known by their rate alone have the sizes of ${sampleOf(folder).from}.`);
  }
  return chosen([...recorded, ...shipped], traces);
}

function chosen(
  sources: readonly TrafficSource[],
  names: readonly string[] | undefined,
): readonly TrafficSource[] {
  if (names === undefined) return sources;
  return names.map((name) => {
    const source = sources.find((it) => it.name === name);
    if (source !== undefined) return source;
    const known = sources.map((it) => it.name).join(', ');
    throw new RangeError(`There is no traffic ${JSON.stringify(name)}; there is: ${known}.`);
  });
}

/** Every start-up time, without a calendar and, where there is one, with it. */
function scenesOf(
  source: TrafficSource,
  startUps: readonly StartUp[],
  metricDelaySeconds: number,
): readonly Scene[] {
  const { workload, calendar, ...loaded } = source.load();
  const traffic = { ...loaded, metricDelaySeconds };
  return startUps.flatMap((startUp) => [
    sceneOf(workload, { ...traffic, startUp }),
    ...(calendar === undefined ? [] : [sceneOf(workload, { ...traffic, startUp, calendar })]),
  ]);
}

interface Playbill {
  readonly policies: readonly PolicyName[];
  readonly plotted: boolean;
  readonly begins: (label: string) => void;
  readonly played: (run: SuiteRun) => void;
}

/** Who reads no calendar does the same with one as without, and is not played again. */
function play(scene: Scene, { policies, plotted, begins, played }: Playbill): void {
  const players = scene.calendarKnown ? policies.filter(readsCalendar) : policies;
  if (players.length === 0) return;
  const where = `${scene.workload.name}, ${scene.limits.startUp.seconds} s`;
  begins(`${where}, oracle`);
  const oracle = oracleOutcome(scene);
  for (const policy of players) {
    begins(`${where}, ${policy}`);
    played(runPolicy(scene, policy, oracle, plotted));
  }
}

function readsCalendar(policy: PolicyName): boolean {
  return CALENDAR_READERS.includes(policy);
}

function present(runs: readonly SuiteRun[], report: Report, options: SimulateOptions): void {
  const lines = standings(runs);
  const promises = promisesOf(runs);
  report.table(runs.map(runRow));
  report.table(lines.map(standingRow));
  if (promises.length > 0) report.table(promises.map(promiseRow));
  const figures = report.write({
    startup_variance: options.variance,
    runs: runs.map(runFigures),
    standings: lines.map(standingFigures),
    promises: promises.map((it) => ({ ...it })),
  });
  const page = writePage(figures, { runs, standings: lines, promises }, options.seed);
  report.note(`page: ${relative(process.cwd(), page)}`);
}
