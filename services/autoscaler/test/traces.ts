import { configure, type PlatformConfiguration } from '@matsuri/contract';
import fc from 'fast-check';
import {
  FRESH_STATE,
  decide,
  type AutoscalerState,
  type Decision,
  type Plan,
  type Snapshot,
} from '../src/core';
import { boughtSet, type BoughtSet } from './bought-set';
import { buying, shipped, snapshotAt, throughput, type Seen } from './cycles';

/** Each clause gets its share of the traces; `AUTOSCALER_TRACES=100000` runs the long proof (minutes). */
const CLAUSES = 15;
export const TRACES_PER_CLAUSE = Math.ceil(
  Number(process.env['AUTOSCALER_TRACES'] ?? 1_500) / CLAUSES,
);

/** Whatever the clock and the calendar may be: any moment of the year, events and their lead included. */
const momentMs = fc.integer({
  min: Date.parse('2026-01-01T00:00:00Z'),
  max: Date.parse('2026-12-31T00:00:00Z'),
});

/** By name, so that a counterexample can be read. */
const CONFIGURATIONS = {
  shipped,
  buying,
  poor: configure({ provisioned: { enabled: true, maxDollarsPerHour: 20 } }),
  narrow: configure({
    provisioned: { enabled: true, windows: [], maxUnits: { complex: 6, simple: 0 } },
  }),
  baseline: configure({ profile: 'baseline' }),
} as const;

const gap = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 12 });
const amount = (max: number) => fc.oneof(fc.constant(0), fc.integer({ min: 0, max }));

const seen: fc.Arbitrary<Seen> = fc.record({
  inFlight: gap(amount(6_000)),
  waiting: gap(amount(3_000)),
  arrivalsPerSecond: gap(amount(2_000)),
  queueDepth: gap(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 300 }))),
  latencyP99Ms: gap(amount(10_000)),
  complex: gap(amount(60_000)),
  simple: gap(amount(40_000)),
  throttles: fc.record({ complex: gap(amount(50)), simple: gap(amount(50)) }),
  ageMs: fc.oneof(
    { weight: 9, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: amount(200_000) },
  ),
});

interface Step {
  readonly afterMs: number;
  readonly seen: Seen;
  /** What native policies add to the floor. */
  readonly nativeTasks: number;
  readonly frozen: 'in' | 'out' | undefined;
}

const step: fc.Arbitrary<Step> = fc.record({
  afterMs: fc.oneof(
    { weight: 8, arbitrary: fc.constant(10_000) },
    { weight: 2, arbitrary: fc.integer({ min: 1_000, max: 400_000 }) },
  ),
  seen,
  nativeTasks: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, amount(30)),
  frozen: fc.oneof(
    { weight: 8, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom('in' as const, 'out' as const) },
  ),
});

/** Stretches of the same weather: single cycles rarely let anything settle. */
const stretch = fc
  .tuple(step, fc.integer({ min: 1, max: 25 }))
  .map(([one, times]) => Array.from({ length: times }, () => one));

export interface Trace {
  readonly configuration: keyof typeof CONFIGURATIONS;
  readonly fromMs: number;
  readonly initialTasks: number;
  readonly initialUnits: number;
  readonly steps: readonly Step[];
}

export const trace: fc.Arbitrary<Trace> = fc.record({
  configuration: fc.constantFrom('shipped', 'buying', 'poor', 'narrow', 'baseline'),
  fromMs: momentMs,
  initialTasks: fc.integer({ min: 0, max: 100 }),
  initialUnits: fc.constantFrom(0, 0, 1, 5),
  steps: fc.array(stretch, { minLength: 1, maxLength: 4 }).map((stretches) => stretches.flat()),
});

/** One cycle of a trace, with what came before it. */
export interface TracedCycle {
  readonly nowMs: number;
  readonly step: Step;
  readonly snapshot: Snapshot;
  readonly before: AutoscalerState;
  readonly previous: Plan | undefined;
  readonly decision: Decision;
  readonly configuration: PlatformConfiguration;
  readonly set: BoughtSet;
}

/** Lives through a trace; tasks follow the floor, Bedrock the purchases. */
export function live(
  { configuration: name, fromMs, initialTasks, initialUnits, steps }: Trace,
  each: (cycle: TracedCycle) => void,
): BoughtSet {
  const configuration = CONFIGURATIONS[name];
  const { activationSeconds } = configuration.provisioned;
  const set = boughtSet(
    initialUnits === 0 ? [] : [throughput({ units: initialUnits })],
    activationSeconds * 1_000,
  );
  let before: AutoscalerState = FRESH_STATE;
  let previous: Plan | undefined;
  let nowMs = fromMs;
  for (const one of steps) {
    nowMs += one.afterMs;
    const tasks = (previous?.tasks.floor ?? initialTasks) + one.nativeTasks;
    const snapshot = snapshotAt(nowMs, {
      ...one.seen,
      tasks,
      minCapacity: previous?.tasks.floor ?? initialTasks,
      throughputs: set.after(previous, nowMs),
      ...(one.frozen !== undefined && { frozen: one.frozen }),
    });
    const decision = decide(before, snapshot, configuration, nowMs);
    each({ nowMs, step: one, snapshot, before, previous, decision, configuration, set });
    before = decision.state;
    previous = decision.plan;
  }
  return set;
}

/** `expect` is made for reading, not for a million calls; this says the same in nanoseconds. */
export function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(`must hold: ${what}`);
}

/** Checks every cycle of many random traces. */
export function forEveryCycle(check: (cycle: TracedCycle) => void): void {
  fc.assert(
    fc.property(trace, (one) => {
      live(one, check);
    }),
    { numRuns: TRACES_PER_CLAUSE },
  );
}
