import { setTimeout } from 'node:timers/promises';

import type { Cast } from '../cast/cast';
import type { Plan, Shape, SystemName, Upstream } from '../plan';
import { errorsIn, percentilesOf } from './observation';
import type { Observation } from './observation';
import { cpuMicros, treeCpuMicros } from './process-usage';
import { tellErrors } from './watcher';
import type { Watcher } from './watcher';

/** What a request leaves to be done after its answer (settling, logging) belongs to its cost. */
const SETTLING_MS = 150;

export interface RoundKey {
  readonly system: SystemName;
  readonly upstream: Upstream;
  readonly shape: Shape;
  readonly round: number;
}

/** One system's turn: so many requests at the plan's rate, and what they cost. */
export async function measureRound(
  cast: Cast,
  plan: Plan,
  key: RoundKey,
  { seed, watcher }: { readonly seed: number; readonly watcher: Watcher },
): Promise<Observation> {
  const { system, upstream, shape } = key;
  const { target, server } = cast.systems[system];
  const usage = () => ({
    server: cpuMicros(server.pid),
    redis: treeCpuMicros(cast.stage.redisPid),
    postgres: treeCpuMicros(cast.stage.postgresPid),
  });
  const before = usage();
  const sample = await cast.load.carryOut({
    kind: 'open-loop',
    target,
    shape,
    connections: plan.connections,
    ratePerSecond: plan.requestsPerSecond[upstream][shape],
    seconds: plan.roundSeconds,
    seed,
  });
  await setTimeout(SETTLING_MS);
  const after = usage();
  tellErrors(sample, `${system} ${shape} ${upstream}`, watcher);
  const requests = sample.lateMs.length;
  return {
    ...key,
    firstContentMs: percentilesOf(sample.firstContentMs),
    wholeMs: percentilesOf(sample.wholeMs),
    lateMs: percentilesOf(sample.lateMs),
    cpuMicrosPerRequest: (after.server - before.server) / requests,
    redisMicrosPerRequest: (after.redis - before.redis) / requests,
    postgresMicrosPerRequest: (after.postgres - before.postgres) / requests,
    errors: errorsIn(sample),
  };
}
