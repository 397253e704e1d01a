import type { ChatAlias, Mitigation, ScalingState } from '@matsuri/contract';
import type { CostRate } from './cost-rate';
import type { PurchaseCause } from './snapshot';

/** Who asks for tasks. The floor is the largest of them. */
export const FLOOR_KINDS = ['schedule', 'event', 'reactive', 'predicted', 'emergency'] as const;

export type FloorKind = (typeof FLOOR_KINDS)[number];

/** One ask for tasks and its reason. */
export interface Floor {
  readonly kind: FloorKind;
  readonly tasks: number;
  readonly reason: string;
}

/** The floor of the chat service: MinCapacity of its scalable target. */
export interface TaskPlan {
  readonly floor: number;
  readonly change: 'raise' | 'hold' | 'lower';
  /** Lowering MinCapacity removes no task; only then desiredCount is lowered too, once, to this. */
  readonly nudgeDesiredTo?: number | undefined;
  /** Unless renewed, AWS itself returns MinCapacity to `returnsTo` at this instant. */
  readonly expiresAtMs: number;
  readonly returnsTo: number;
  /** What is asked for before cooldowns and steps, within the limits. */
  readonly wanted: number;
  readonly floors: readonly Floor[];
  readonly reason: string;
}

/** A throughput to create. The same token is planned until the set shows it, so a retry buys nothing twice. */
export interface Purchase {
  readonly token: string;
  readonly units: number;
  readonly cause: PurchaseCause;
  readonly reason: string;
}

/** A throughput as the router shall use it; weight 0 while it is drained. */
export interface WeightedThroughput {
  readonly arn: string;
  readonly units: number;
  readonly weight: number;
}

/** A throughput to delete: nobody is sent to it any more. */
export interface Deletion {
  readonly arn: string;
  readonly units: number;
  readonly reason: string;
}

/** The capacity set of one model alias. */
export interface CapacityPlan {
  /** Units wanted, within the caps. */
  readonly targetUnits: number;
  readonly inServiceUnits: number;
  /** Bought and not yet in service. */
  readonly pendingUnits: number;
  readonly purchase?: Purchase | undefined;
  /** Undefined when the set could not be read: what the router has stays. */
  readonly set?: readonly WeightedThroughput[] | undefined;
  readonly deletions: readonly Deletion[];
  readonly reason: string;
}

/** A mitigation in force. */
export interface ActiveMitigation {
  readonly mitigation: Mitigation;
  readonly sinceMs: number;
  readonly reason: string;
}

export interface MitigationPlan {
  readonly active: readonly ActiveMitigation[];
  /** How long answers are cached. */
  readonly cacheSeconds: number;
  readonly reason: string;
}

/** A word to a person. It is planned once per key and deduplication period. */
export interface Page {
  readonly key: string;
  readonly severity: 'page' | 'warning' | 'info';
  readonly title: string;
  readonly text: string;
}

/** Answers to prepare before they are asked for; planned until `notAfterMs`, always with the same id. */
export interface Prewarm {
  readonly requestId: string;
  readonly event: string;
  readonly titles: number;
  readonly notAfterMs: number;
  readonly reason: string;
}

/** One model alias in figures. */
export interface ModelFigures {
  /** Undefined without a fresh reading. */
  readonly tokensPerSecond?: number | undefined;
  readonly predictedTokensPerSecond?: number | undefined;
  /** Tokens/s that the units in service carry, or the on-demand quota where there are none. */
  readonly capacityTokensPerSecond: number;
  readonly capacityIs: 'provisioned' | 'on_demand';
  readonly utilisation?: number | undefined;
  readonly predictedUtilisation?: number | undefined;
}

/** What the plan was made from, for metrics and for people. */
export interface PlanFigures {
  readonly models: Readonly<Record<ChatAlias, ModelFigures>>;
  readonly costRate: CostRate;
  /** Entries of the calendar nobody prepares for, since their times cannot be understood. */
  readonly calendarEntriesDropped: readonly string[];
}

export interface TelemetryVerdict {
  readonly complete: boolean;
  /** What is missing or stale; empty when complete. */
  readonly problems: readonly string[];
}

/** What shall be true after this cycle. Applying it twice changes nothing more than once. */
export interface Plan {
  readonly atMs: number;
  readonly state: ScalingState;
  readonly reason: string;
  readonly tasks: TaskPlan;
  readonly capacity: Readonly<Record<ChatAlias, CapacityPlan>>;
  readonly mitigations: MitigationPlan;
  readonly pages: readonly Page[];
  readonly prewarm?: Prewarm | undefined;
  readonly telemetry: TelemetryVerdict;
  readonly figures: PlanFigures;
}
