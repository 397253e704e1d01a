import { readFileSync, rmSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import type { Figures, Report, TableRow } from '@matsuri/telemetry';

import type { Closers } from '../cast/cast';
import { startLoadGenerator } from '../cast/load-generator';
import type { LoadGenerator } from '../cast/load-generator';
import { ourTarget, prepareOurStage, startOurs } from '../cast/ours';
import { somePrompts } from '../cast/prompts';
import { rehearse } from '../cast/rehearse';
import type { ServerProcess } from '../cast/server-process';
import { startModelStandIn } from '../cast/stand-in';
import type { Workshop } from '../cast/workshop';
import type { Target } from '../load/orders';
import { cpuMicros } from '../measure/process-usage';
import { FULL, SHAPES } from '../plan';
import type { Shape } from '../plan';
import { moduleLines } from './module-lines';
import { byOwner, selfTimes } from './self-times';
import type { CpuProfile, SelfTime } from './self-times';

const PROFILE_SECONDS = 10;
const PROFILE_LIMIT_MS = 20_000;
const LOOK_AGAIN_MS = 50;
const OWNERS_SHOWN = 20;
const FUNCTIONS_SHOWN = 40;

interface ProfileRun {
  readonly workshop: Workshop;
  readonly closers: Closers;
  readonly report: Report;
  readonly seed: number;
}

/** Our gateway alone under the load of the comparison, with V8's profiler on. */
export async function profileGateway(run: ProfileRun): Promise<void> {
  const { workshop, closers, report, seed } = run;
  const file = join(workshop.folder, 'profile.json');
  const stage = await prepareOurStage();
  closers.push(() => stage.close());
  const load = startLoadGenerator(workshop);
  closers.push(() => load.stop());
  const model = await startModelStandIn(workshop);
  closers.push(() => model.stop());
  const recorder = workshop.bundle('test/bench/gateway/profile/recorder.ts');
  const server = await startOurs(workshop, stage, model, {
    nodeFlags: ['--require', recorder],
    env: { PROFILE_FILE: file },
  });
  closers.push(() => server.stop());
  const target = ourTarget(server, stage, somePrompts(seed));
  await rehearse([target]);

  const figures: Record<string, Figures[string]> = {};
  const moduleOf = moduleLines(readFileSync(join(workshop.folder, 'orchestrator.cjs'), 'utf8'));
  for (const [index, shape] of SHAPES.entries()) {
    report.progress(index, SHAPES.length, `profiling ${shape}`);
    await model.pace('instant', shape);
    const { profile, cpuMicrosPerRequest } = await record({
      load,
      server,
      target,
      shape,
      seed,
      file,
    });
    const times = selfTimes(profile, moduleOf);
    Object.assign(figures, show(report, shape, { times, cpuMicrosPerRequest }));
  }
  report.write(figures);
}

interface Recording {
  readonly load: LoadGenerator;
  readonly server: ServerProcess;
  readonly target: Target;
  readonly shape: Shape;
  readonly seed: number;
  readonly file: string;
}

async function record(
  recording: Recording,
): Promise<{ readonly profile: CpuProfile; readonly cpuMicrosPerRequest: number }> {
  const { load, server, target, shape, seed, file } = recording;
  const order = { target, shape, connections: FULL.connections };
  await load.carryOut({
    ...order,
    kind: 'closed-loop',
    callers: FULL.warmUpConcurrency,
    requests: FULL.warmUpRequests,
  });
  rmSync(file, { force: true });
  server.signal('SIGUSR2');
  const before = cpuMicros(server.pid);
  const { lateMs } = await load.carryOut({
    ...order,
    kind: 'open-loop',
    ratePerSecond: FULL.requestsPerSecond.instant[shape],
    seconds: PROFILE_SECONDS,
    seed,
  });
  const cpuMicrosPerRequest = (cpuMicros(server.pid) - before) / lateMs.length;
  server.signal('SIGUSR2');
  await fileAppears(file);
  const profile = JSON.parse(readFileSync(file, 'utf8')) as CpuProfile;
  return { profile, cpuMicrosPerRequest };
}

async function fileAppears(file: string): Promise<void> {
  for (const deadline = Date.now() + PROFILE_LIMIT_MS; !existsSync(file);) {
    if (Date.now() > deadline) throw new Error('the gateway wrote no profile');
    await setTimeout(LOOK_AGAIN_MS);
  }
}

/** Prints where the time goes; the profiler samples, what a request really costs is counted by Linux. */
function show(
  report: Report,
  shape: Shape,
  { times, cpuMicrosPerRequest }: { times: readonly SelfTime[]; cpuMicrosPerRequest: number },
): Figures {
  const total = times.reduce((sum, { micros }) => sum + micros, 0);
  const share = (micros: number): number => micros / total;
  const perRequest = (micros: number): number => Math.round(share(micros) * cpuMicrosPerRequest);
  const percent = (micros: number): string => (100 * share(micros)).toFixed(1);
  const owners: TableRow[] = byOwner(times)
    .slice(0, OWNERS_SHOWN)
    .map(({ owner, ownMicros, micros }) => ({
      owner,
      'µs/request': perRequest(micros),
      '%': percent(micros),
      'in its own code': perRequest(ownMicros),
    }));
  const functions: TableRow[] = times.slice(0, FUNCTIONS_SHOWN).map((time) => ({
    function: time.function,
    'µs/request': perRequest(time.micros),
    '%': percent(time.micros),
    'where, or for whom': shortened(time.caller === '' ? time.module : time.caller),
  }));
  report.note(`\n${shape}: ${cpuMicrosPerRequest.toFixed(0)} µs of CPU per request`);
  report.table(owners);
  report.table(functions);
  return { [`ours_${shape}_profiled_cpu_us_per_request`]: Math.round(cpuMicrosPerRequest) };
}

function shortened(module: string): string {
  return module.replace(/(?:\.\.\/)*node_modules\/\.pnpm\/.*node_modules\//, '');
}
