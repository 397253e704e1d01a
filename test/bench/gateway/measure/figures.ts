import type { Figures } from '@matsuri/telemetry';

import { SHAPES, SYSTEMS } from '../plan';
import type { Plan, Shape, SystemName } from '../plan';
import type { Observation, Percentiles } from './observation';
import { median } from './statistics';

/** What becomes of a system when every connection asks at once. */
export interface CrowdObservation {
  readonly system: SystemName;
  readonly shape: Shape;
  readonly requestsPerSecond: number;
  readonly errors: number;
}

export interface Measurements {
  readonly plan: Plan;
  readonly rounds: readonly Observation[];
  readonly crowds: readonly CrowdObservation[];
  readonly residentMegabytes: Readonly<Record<SystemName, number>>;
}

const PERCENTILES = ['p50', 'p95', 'p99'] as const;
const GATEWAYS = SYSTEMS.filter((system) => system !== 'direct');

/** The flat figures of a run: medians over its rounds. */
export function figuresOf(measured: Measurements): Figures {
  return {
    ...each(GATEWAYS, (system) => ({
      ...each(SHAPES, (shape) => ({
        [`${system}_${shape}_cpu_us_per_request`]: cpuMicros(measured, system, shape),
        ...added(measured, system, shape),
        [`${system}_${shape}_crowd_rps`]: crowdOf(measured, system, shape),
      })),
      [`${system}_rss_mb`]: rounded(measured.residentMegabytes[system]),
    })),
    ...each(SHAPES, (shape) => ({
      [`${shape}_cpu_ratio_ours_over_portkey`]: ratio(measured, shape),
      ...enginesOf(measured, shape),
      ...directOf(measured, shape),
    })),
    ...each(SYSTEMS, (system) => ({
      [`${system}_errors`]: errorsOf(measured, system),
      // A refusal is cheap: rounds with errors flatter whoever made them.
      [`${system}_rounds_with_errors`]: roundsWithErrors(measured, system),
    })),
    load_late_p99_ms: rounded(median(measured.rounds.map(({ lateMs }) => lateMs.p99))),
    ...settingsOf(measured.plan),
  };
}

function added(measured: Measurements, system: SystemName, shape: Shape): Figures {
  const through = observed(measured, system, 'slow', shape);
  const direct = observed(measured, 'direct', 'slow', shape);
  const difference = (
    pick: (observation: Observation) => Percentiles,
    name: keyof Percentiles,
  ): number => {
    // Round by round: both were measured within seconds of each other, whatever the machine did that day.
    const differences = through.flatMap((observation) => {
      const peer = direct.find(({ round }) => round === observation.round);
      return peer === undefined ? [] : [pick(observation)[name] - pick(peer)[name]];
    });
    return rounded(median(differences));
  };
  return each(PERCENTILES, (name) => ({
    [`${system}_${shape}_added_${name}_ms`]: difference((it) => it.firstContentMs, name),
    ...(shape === 'sse' && {
      [`${system}_sse_last_byte_added_${name}_ms`]: difference((it) => it.wholeMs, name),
    }),
  }));
}

function cpuMicros(measured: Measurements, system: SystemName, shape: Shape): number {
  const rounds = observed(measured, system, 'instant', shape);
  return rounded(median(rounds.map((it) => it.cpuMicrosPerRequest)));
}

/** Round by round again: a core that runs slower for a while is slower for both. */
function ratio(measured: Measurements, shape: Shape): number {
  const portkey = observed(measured, 'portkey', 'instant', shape);
  const ratios = observed(measured, 'ours', 'instant', shape).flatMap((ours) => {
    const peer = portkey.find(({ round }) => round === ours.round);
    return peer === undefined ? [] : [ours.cpuMicrosPerRequest / peer.cpuMicrosPerRequest];
  });
  return rounded(median(ratios));
}

function enginesOf(measured: Measurements, shape: Shape): Figures {
  const rounds = observed(measured, 'ours', 'instant', shape);
  return {
    [`ours_${shape}_redis_cpu_us_per_request`]: rounded(
      median(rounds.map((it) => it.redisMicrosPerRequest)),
    ),
    [`ours_${shape}_postgres_cpu_us_per_request`]: rounded(
      median(rounds.map((it) => it.postgresMicrosPerRequest)),
    ),
  };
}

function directOf(measured: Measurements, shape: Shape): Figures {
  const rounds = observed(measured, 'direct', 'slow', shape);
  return each(PERCENTILES, (name) => ({
    [`direct_${shape}_${name}_ms`]: rounded(median(rounds.map((it) => it.firstContentMs[name]))),
  }));
}

function crowdOf(measured: Measurements, system: SystemName, shape: Shape): number {
  const crowds = measured.crowds.filter((it) => it.system === system && it.shape === shape);
  return Math.round(median(crowds.map((it) => it.requestsPerSecond)));
}

function errorsOf(measured: Measurements, system: SystemName): number {
  return [...measured.rounds, ...measured.crowds]
    .filter((it) => it.system === system)
    .reduce((sum, { errors }) => sum + errors, 0);
}

function roundsWithErrors({ rounds }: Measurements, system: SystemName): number {
  return rounds.filter((it) => it.system === system && it.errors > 0).length;
}

function settingsOf(plan: Plan): Figures {
  return {
    rounds: plan.rounds,
    round_s: plan.roundSeconds,
    connections: plan.connections,
    warm_up_requests: plan.warmUpRequests,
    ...each(SHAPES, (shape) => ({
      [`instant_${shape}_rps`]: plan.requestsPerSecond.instant[shape],
      [`slow_${shape}_rps`]: plan.requestsPerSecond.slow[shape],
    })),
  };
}

function observed(
  { rounds }: Measurements,
  system: SystemName,
  upstream: Observation['upstream'],
  shape: Shape,
): Observation[] {
  return rounds.filter(
    (it) => it.system === system && it.upstream === upstream && it.shape === shape,
  );
}

function each<T>(items: readonly T[], figures: (item: T) => Figures): Figures {
  return Object.assign({}, ...items.map(figures)) as Figures;
}

function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
