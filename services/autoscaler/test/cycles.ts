import { configure, type ChatAlias, type PlatformConfiguration } from '@matsuri/contract';
import {
  FRESH_STATE,
  decide,
  type AutoscalerState,
  type Decision,
  type Plan,
  type Snapshot,
  type Throughput,
} from '../src/core';

const SECOND_MS = 1_000;
export const CYCLE_MS = 10 * SECOND_MS;
export const MINUTE_MS = 60 * SECOND_MS;

/** A Tuesday in June, 03:00 in Tokyo: the trough, no event, five tasks. */
export const NIGHT_MS = Date.parse('2026-06-09T03:00:00+09:00');
/** The same day, 10:00: a window with units. */
export const MORNING_MS = Date.parse('2026-06-09T10:00:00+09:00');

export const shipped = configure();
/** Provisioned throughput is off as shipped. */
export const buying = configure({ provisioned: { enabled: true } });

/** What is seen, in plain numbers; undefined is "no reading". */
export interface Seen {
  readonly tasks?: number | undefined;
  readonly desired?: number;
  readonly minCapacity?: number;
  readonly inFlight?: number | undefined;
  readonly waiting?: number | undefined;
  readonly arrivalsPerSecond?: number | undefined;
  readonly queueDepth?: number | undefined;
  readonly latencyP99Ms?: number | undefined;
  readonly complex?: number | undefined;
  readonly simple?: number | undefined;
  readonly throttles?: Partial<Record<ChatAlias, number | undefined>>;
  readonly throughputs?: readonly Throughput[] | undefined;
  readonly frozen?: 'in' | 'out';
  /** How old every reading is. */
  readonly ageMs?: number;
}

const QUIET = {
  tasks: 5,
  inFlight: 20,
  waiting: 0,
  queueDepth: 0,
  latencyP99Ms: 800,
  complex: 200,
  simple: 100,
  throughputs: [],
} as const satisfies Seen;

export function snapshotAt(nowMs: number, seen: Seen = {}): Snapshot {
  const all: Seen = { ...QUIET, ...seen };
  const reading = (value: number | undefined) =>
    value === undefined ? undefined : { value, atMs: nowMs - (all.ageMs ?? 0) };
  const throttles = { complex: 0, simple: 0, ...all.throttles };
  return {
    tasks:
      all.tasks === undefined
        ? undefined
        : {
            running: all.tasks,
            desired: all.desired ?? all.tasks,
            minCapacity: all.minCapacity ?? all.tasks,
          },
    service: {
      inFlight: reading(all.inFlight),
      waiting: reading(all.waiting),
      arrivalsPerSecond: reading(all.arrivalsPerSecond),
      queueDepth: reading(all.queueDepth),
      latencyP99Ms: reading(all.latencyP99Ms),
    },
    models: {
      complex: {
        tokensPerSecond: reading(all.complex),
        throttles: reading(throttles.complex),
      },
      simple: { tokensPerSecond: reading(all.simple), throttles: reading(throttles.simple) },
    },
    throughputs: all.throughputs,
    freeze: { scaleIn: all.frozen === 'in', scaleOut: all.frozen === 'out' },
  };
}

export interface Run {
  readonly configuration?: PlatformConfiguration;
  readonly fromMs?: number;
  readonly cycles: number;
  readonly state?: AutoscalerState;
  /** What is seen in each cycle, given the plan before it. */
  readonly see: (cycle: number, last: Plan | undefined) => Seen;
}

/** Cycles one after the other; tasks follow the floor unless `see` says otherwise. */
export function run({
  configuration = shipped,
  fromMs = NIGHT_MS,
  cycles,
  state = FRESH_STATE,
  see,
}: Run): readonly Decision[] {
  const decisions: Decision[] = [];
  let known = state;
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    const nowMs = fromMs + cycle * CYCLE_MS;
    const decision = decide(
      known,
      snapshotAt(nowMs, see(cycle, decisions.at(-1)?.plan)),
      configuration,
      nowMs,
    );
    decisions.push(decision);
    known = decision.state;
  }
  return decisions;
}

/** The last of some decisions. */
export function lastOf(decisions: readonly Decision[]): Decision {
  const last = decisions.at(-1);
  if (last === undefined) throw new Error('no cycle was run');
  return last;
}

export function throughput(overrides: Partial<Throughput> = {}): Throughput {
  const alias = overrides.alias ?? 'complex';
  const units = overrides.units ?? 1;
  return {
    arn: `arn:aws:bedrock:ap-northeast-1:123456789012:provisioned-model/${alias}-${units}`,
    name: `${alias}-${units}`,
    alias,
    units,
    commitment: 'none',
    status: 'in_service',
    boughtFor: 'demand',
    ...overrides,
  };
}
