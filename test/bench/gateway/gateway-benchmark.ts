import { startReport } from '@matsuri/telemetry';
import type { Figures, Report } from '@matsuri/telemetry';

import type { Benchmark, BenchmarkOptions } from '../benchmark';
import { startCast } from './cast/cast';
import type { Closers } from './cast/cast';
import { leaveServerCore } from './cast/cores';
import { openWorkshop } from './cast/workshop';
import { compare, stepsOf } from './measure/compare';
import { complaintsIn } from './measure/complaints';
import { figuresOf } from './measure/figures';
import { tablesOf } from './measure/tables';
import { FULL, QUICK, SHAPES } from './plan';
import { profileGateway } from './profile/profile-gateway';

/** Our gateway against a bare proxy and Portkey, all in front of the same model. */
export const gatewayBenchmark: Benchmark = {
  name: 'gateway',
  summary:
    'CPU per request and added latency of the model gateway, against a bare proxy and Portkey',
  async run(options) {
    leaveServerCore();
    const { seed, profile } = options;
    const report = startReport({
      command: 'bench',
      name: profile ? 'gateway-profile' : nameOf(options),
      seed,
    });
    const workshop = openWorkshop();
    const closers: Closers = [() => workshop.remove()];
    try {
      if (profile) await profileGateway({ workshop, closers, report, seed });
      else await compareSystems({ workshop, closers, report, options });
    } finally {
      for (const close of closers.toReversed()) await close();
    }
  },
};

/** A quick run leaves the published figures alone. */
function nameOf({ quick }: BenchmarkOptions): string {
  return quick ? 'gateway-quick' : 'gateway';
}

interface Comparison {
  readonly workshop: ReturnType<typeof openWorkshop>;
  readonly closers: Closers;
  readonly report: Report;
  readonly options: BenchmarkOptions;
}

async function compareSystems(comparison: Comparison): Promise<void> {
  const { workshop, closers, report, options } = comparison;
  const { seed, quick } = options;
  const plan = quick ? QUICK : FULL;
  const total = stepsOf(plan);
  let done = 0;
  report.progress(done, total, 'starting everybody');
  const cast = await startCast(workshop, seed, closers);
  const measured = await compare(cast, plan, seed, {
    step: (label) => report.progress(done++, total, label),
    trouble: (text) => report.note(text),
  });
  report.progress(total, total, 'done');
  for (const line of complaintsIn(cast.systems.ours.server.output())) report.note(line);
  const figures = figuresOf(measured);
  for (const { title, rows } of tablesOf(figures)) {
    report.note(`\n${title}`);
    report.table(rows);
  }
  report.note(ratioLine(figures));
  report.write(figures);
}

function ratioLine(figures: Figures): string {
  const ratios = SHAPES.map((shape) => {
    const ratio = Number(figures[`${shape}_cpu_ratio_ours_over_portkey`]);
    return `${shape} ${ratio.toFixed(2)}`;
  });
  return `CPU, ours over Portkey: ${ratios.join(', ')}`;
}
