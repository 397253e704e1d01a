import type { ChatAlias } from '@matsuri/contract';

/**
 * One figure and the instant it stands for (the end of its period). A counter of a source that answered
 * and had nothing to count is a reading of zero; a source that did not answer gives no reading at all.
 */
export interface Reading {
  readonly value: number;
  readonly atMs: number;
}

type Maybe<T> = T | undefined;

/** What one model alias was asked for; each alias is judged by itself. */
export interface ModelReadings {
  readonly tokensPerSecond?: Maybe<Reading>;
  /** Input and output apart, where known: quotas weigh output by its burndown. */
  readonly inputTokensPerSecond?: Maybe<Reading>;
  readonly outputTokensPerSecond?: Maybe<Reading>;
  /** Refusals by Bedrock within the last period. */
  readonly throttles?: Maybe<Reading>;
  /** Until the last token, as Bedrock measures it. */
  readonly latencyP99Ms?: Maybe<Reading>;
  /** What the tokens of the last minute cost, at list prices; units carry theirs for nothing. */
  readonly onDemandDollarsPerHour?: Maybe<Reading>;
}

/** What the chat service as a whole reports. */
export interface ServiceReadings {
  /** Calls that hold a slot, summed over tasks. */
  readonly inFlight?: Maybe<Reading>;
  /**
   * Requests that wait for a slot or a reservation, and those that were turned away and told to come back, the most of
   * the period, summed over tasks.
   */
  readonly waiting?: Maybe<Reading>;
  /** Calls that were let in, per second, summed over tasks. Absent, whoever waits counts as a slot. */
  readonly arrivalsPerSecond?: Maybe<Reading>;
  /** The longest queue of any one task. */
  readonly queueDepth?: Maybe<Reading>;
  /** The slowest task's. Without traffic there is none, which is no gap. */
  readonly latencyP99Ms?: Maybe<Reading>;
}

/** The service as ECS and Application Auto Scaling describe it. */
export interface ServiceTasks {
  readonly running: number;
  readonly desired: number;
  /** The floor in force, whoever wrote it. */
  readonly minCapacity: number;
}

/** Why a throughput was bought: the calendar's are given back by the calendar, the others by low use. */
export const PURCHASE_CAUSES = ['calendar', 'demand'] as const;

export type PurchaseCause = (typeof PURCHASE_CAUSES)[number];

/** One provisioned throughput. It cannot be resized; committed ones cannot be deleted before their term. */
export interface Throughput {
  readonly arn: string;
  /** The name it was created with; ours is the token of the purchase. */
  readonly name: string;
  readonly alias: ChatAlias;
  readonly units: number;
  readonly commitment: 'none' | 'one_month' | 'six_months';
  readonly status: 'creating' | 'in_service' | 'updating' | 'failed';
  /** The cause of a purchase of this autoscaler; undefined for what somebody else bought. */
  readonly boughtFor?: Maybe<PurchaseCause>;
}

/** An orchestrator's early word that one of its pools fills up. */
export interface PreScaleSignal {
  readonly pool: string;
  readonly utilisationPercent: number;
  readonly atMs: number;
}

/** Stops one direction; whoever set it knows why. */
export interface Freeze {
  readonly scaleOut: boolean;
  readonly scaleIn: boolean;
}

/** Everything one decision looks at. What could not be read is undefined, never zero. */
export interface Snapshot {
  readonly tasks: Maybe<ServiceTasks>;
  readonly service: ServiceReadings;
  readonly models: Readonly<Record<ChatAlias, ModelReadings>>;
  /** The whole set, or undefined where it could not be listed. */
  readonly throughputs: Maybe<readonly Throughput[]>;
  readonly preScaleSignals?: readonly PreScaleSignal[];
  readonly freeze: Freeze;
}
