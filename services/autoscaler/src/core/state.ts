import type { ChatAlias, ScalingState } from '@matsuri/contract';
import type { PurchaseCause } from './snapshot';

/** Demand at one instant; a part that was not measured is absent. */
export interface HistoryPoint {
  readonly atMs: number;
  readonly complex?: number | undefined;
  readonly simple?: number | undefined;
  /** Slots that would have been used had nobody waited. */
  readonly busy?: number | undefined;
  readonly waiting?: number | undefined;
}

/** A want and when it was seen; the list of them falls from old to new, so its first is the highest. */
export interface Want {
  readonly atMs: number;
  readonly tasks: number;
}

export interface TaskState {
  /** Undefined before the first decision. */
  readonly floor?: number | undefined;
  readonly raisedAtMs?: number | undefined;
  readonly loweredAtMs?: number | undefined;
  /** Wants of the hold period. */
  readonly wants: readonly Want[];
  readonly lastDesired?: number | undefined;
}

/** An emergency is a target fixed when it began, not an increment per cycle. */
export interface EmergencyState {
  readonly target: number;
  readonly setAtMs: number;
}

/** A purchase that was planned, until the set shows it or its time is over. */
export interface PurchaseIntent {
  readonly token: string;
  readonly units: number;
  readonly cause: PurchaseCause;
  readonly reason: string;
  readonly atMs: number;
}

export interface CapacityState {
  /** The last purchase, whether or not it is still outstanding. */
  readonly purchasedAtMs?: number | undefined;
  readonly intent?: PurchaseIntent | undefined;
  /** Since when each drained throughput gets no new calls, by ARN. */
  readonly drainingSinceMs: Readonly<Record<string, number>>;
  readonly drainedAtMs?: number | undefined;
  /** Since when fewer units would do. */
  readonly surplusSinceMs?: number | undefined;
}

/** What presses for mitigations; each climbs and returns by itself. */
export const LANES = ['complex', 'simple', 'queue', 'event'] as const;

export type Lane = (typeof LANES)[number];

export interface LaneState {
  readonly sinceMs: number;
  readonly pressedAtMs: number;
  readonly movedAtMs: number;
  /** When each mitigation of the lane's ladder that is in force began, mildest first. */
  readonly startedAtMs: readonly number[];
  readonly reason: string;
}

/** All that one decision hands to the next. Plain JSON. */
export interface AutoscalerState {
  readonly version: 1;
  readonly decidedAtMs?: number | undefined;
  /** Since when every decision had full telemetry. */
  readonly completeSinceMs?: number | undefined;
  readonly reported: ScalingState;
  readonly history: readonly HistoryPoint[];
  readonly tasks: TaskState;
  readonly emergency?: EmergencyState | undefined;
  readonly capacity: Readonly<Record<ChatAlias, CapacityState>>;
  readonly lanes: Readonly<Partial<Record<Lane, LaneState>>>;
  /** When each page was last asked for, by its key. */
  readonly pagedAtMs: Readonly<Record<string, number>>;
}

const EMPTY_CAPACITY: CapacityState = { drainingSinceMs: {} };

/** Knows nothing: it adopts what runs and gives nothing back before it has watched a whole hold period. */
export const FRESH_STATE: AutoscalerState = {
  version: 1,
  reported: 'stable',
  history: [],
  tasks: { wants: [] },
  capacity: { complex: EMPTY_CAPACITY, simple: EMPTY_CAPACITY },
  lanes: {},
  pagedAtMs: {},
};
