import type { Cast } from '../cast/cast';
import { SHAPES, SYSTEMS, UPSTREAMS } from '../plan';
import type { Plan, SystemName } from '../plan';
import type { CrowdObservation, Measurements } from './figures';
import { measureRound } from './measure-round';
import { errorsIn } from './observation';
import type { Observation } from './observation';
import { residentMegabytes } from './process-usage';
import { tellErrors } from './watcher';
import type { Watcher } from './watcher';

/** The share of warm-up requests that may fail, on a machine that others use too. */
const MOST_WARM_UP_ERRORS = 0.05;

/** Steps of a run, to show how far it is. */
export function stepsOf({ rounds }: Plan): number {
  const perShape = SHAPES.length * SYSTEMS.length;
  return perShape * (1 + UPSTREAMS.length * rounds + 1);
}

/** The whole comparison: warm up, rounds in turn, the crowd. */
export async function compare(
  cast: Cast,
  plan: Plan,
  seed: number,
  watcher: Watcher,
): Promise<Measurements> {
  await warmUp(cast, plan, watcher);
  const rounds: Observation[] = [];
  for (let round = 0; round < plan.rounds; round += 1) {
    rounds.push(...(await oneRound(cast, plan, { round, seed: seed + round }, watcher)));
  }
  const residents = SYSTEMS.map((system) => [
    system,
    residentMegabytes(cast.systems[system].server.pid),
  ]);
  return {
    plan,
    rounds,
    crowds: await crowd(cast, plan, watcher),
    residentMegabytes: Object.fromEntries(residents) as Record<SystemName, number>,
  };
}

async function warmUp(cast: Cast, plan: Plan, watcher: Watcher): Promise<void> {
  for (const shape of SHAPES) {
    await cast.model.pace('instant', shape);
    for (const system of SYSTEMS) {
      watcher.step(`warming up: ${system} ${shape}`);
      const sample = await cast.load.carryOut({
        kind: 'closed-loop',
        target: cast.systems[system].target,
        shape,
        connections: plan.connections,
        callers: plan.warmUpConcurrency,
        requests: plan.warmUpRequests,
      });
      tellErrors(sample, `warming up ${system} ${shape}`, watcher);
      if (errorsIn(sample) > plan.warmUpRequests * MOST_WARM_UP_ERRORS) {
        throw new Error(`${system} does not work: what would be measured are its errors`);
      }
    }
  }
}

async function oneRound(
  cast: Cast,
  plan: Plan,
  { round, seed }: { readonly round: number; readonly seed: number },
  watcher: Watcher,
): Promise<Observation[]> {
  const observations: Observation[] = [];
  for (const upstream of UPSTREAMS) {
    for (const shape of SHAPES) {
      await cast.model.pace(upstream, shape);
      for (const system of SYSTEMS) {
        watcher.step(`round ${round + 1}: ${upstream} ${shape}, ${system}`);
        const key = { system, upstream, shape, round };
        observations.push(await measureRound(cast, plan, key, { seed, watcher }));
      }
    }
  }
  return observations;
}

/** Every connection asks at once and goes on asking. */
async function crowd(cast: Cast, plan: Plan, watcher: Watcher): Promise<CrowdObservation[]> {
  const crowds: CrowdObservation[] = [];
  for (const shape of SHAPES) {
    await cast.model.pace('slow', shape);
    for (const system of SYSTEMS) {
      watcher.step(`crowd of ${plan.connections}: ${system} ${shape}`);
      const sample = await cast.load.carryOut({
        kind: 'closed-loop',
        target: cast.systems[system].target,
        shape,
        connections: plan.connections,
        callers: plan.connections,
        requests: plan.crowdRequests,
      });
      tellErrors(sample, `crowd at ${system} ${shape}`, watcher);
      crowds.push({
        system,
        shape,
        requestsPerSecond: (sample.wholeMs.length * 1_000) / sample.tookMs,
        errors: errorsIn(sample),
      });
    }
  }
  return crowds;
}
