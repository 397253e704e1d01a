import { seededRandom, type SeededRandom } from '../seeded-random';

type Target = 'gateway' | 'redis' | 'postgres' | 'bedrock';

/** Everything that can be done to a cluster, by what it is done to. */
export const FAULTS = {
  gateway: ['kill', 'drain'],
  redis: ['down', 'black-hole', 'slow', 'cut', 'flush', 'script-flush', 'restart-empty', 'freeze'],
  postgres: ['down', 'black-hole', 'slow', 'cut', 'answers-lost', 'crash', 'terminate-sessions'],
  bedrock: ['cut', 'slow', 'slicer'],
} as const satisfies Record<Target, readonly string[]>;

export type Fault = {
  readonly [T in Target]: {
    readonly target: T;
    readonly kind: (typeof FAULTS)[T][number];
    /** Which gateway, where it concerns one. */
    readonly place: number;
    readonly forMs: number;
  };
}[Target];

/** A fault and the call with whose beginning it comes. */
export interface PlannedFault {
  readonly atCall: number;
  readonly fault: Fault;
}

export interface FaultPlanOptions {
  readonly seed: number;
  readonly calls: number;
  readonly places: number;
  /** About one fault in so many calls. */
  readonly everyCalls: number;
}

/** Every fault at least once if there is room, then any, spread over the run; decided by the seed alone. */
export function faultPlan(options: FaultPlanOptions): readonly PlannedFault[] {
  const { seed, calls, places, everyCalls } = options;
  const random = seededRandom(seed ^ 0x5eed);
  const count = Math.floor(calls / everyCalls);
  const each = shuffled(everyFault(random, places), random);
  return Array.from({ length: count }, (_, index) => ({
    atCall: Math.floor((index + 0.5 + random.next() / 2) * everyCalls),
    fault: each[index] ?? random.pick(everyFault(random, places)),
  }));
}

function everyFault(random: SeededRandom, places: number): Fault[] {
  const rest = () => ({ place: random.between(0, places - 1), forMs: random.between(300, 2_500) });
  return [
    ...FAULTS.gateway.map((kind) => ({ target: 'gateway' as const, kind, ...rest() })),
    ...FAULTS.redis.map((kind) => ({ target: 'redis' as const, kind, ...rest() })),
    ...FAULTS.postgres.map((kind) => ({ target: 'postgres' as const, kind, ...rest() })),
    ...FAULTS.bedrock.map((kind) => ({ target: 'bedrock' as const, kind, ...rest() })),
  ];
}

function shuffled<T>(items: readonly T[], random: SeededRandom): T[] {
  return items
    .map((item) => ({ item, order: random.next() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);
}
