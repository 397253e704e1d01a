import type { ChatAlias } from '@matsuri/contract';
import type {
  AutoscalerState,
  Freeze,
  MitigationPlan,
  Page,
  PreScaleSignal,
  Prewarm,
  Throughput,
  WeightedThroughput,
} from './core';
import type { MetricAnswers, MetricQuery } from './reading/core/metric-queries';
import type { Notes } from './reconcile/core/notes';

/** Time as the program sees it. */
export interface Time {
  /** Milliseconds since 1970. */
  nowMs(): number;
  /** Never steps back; for leases. */
  monotonicMs(): number;
  /** Runs once after a delay; the result prevents it. */
  after(delayMs: number, run: () => void): () => void;
}

/** Metrics. A query that could not be answered is absent from the answers; a throw means nobody could be asked. */
export interface MetricSource {
  read(queries: readonly MetricQuery[], fromMs: number, toMs: number): Promise<MetricAnswers>;
}

/** The chat service as ECS runs it. */
export interface ChatService {
  counts(): Promise<{ readonly running: number; readonly desired: number }>;
  /** Lowers desiredCount; native policies may raise it again. */
  setDesired(tasks: number): Promise<void>;
}

/** The limits of the chat service in Application Auto Scaling. */
export interface FloorTarget {
  limits(): Promise<TaskLimits>;
  setFloor(tasks: number): Promise<void>;
  /** AWS itself sets the floor to `tasks` at an instant, unless this is put again with a later one. */
  returnAt(atMs: number, tasks: number): Promise<void>;
}

export interface TaskLimits {
  readonly minCapacity: number;
  readonly maxCapacity: number;
}

/** A throughput to create; the same token never buys twice. */
interface Order {
  readonly alias: ChatAlias;
  readonly units: number;
  readonly token: string;
}

/** Provisioned throughput of this environment. */
export interface ThroughputMarket {
  /** The whole set; a throw means it is not known, never that it is empty. */
  list(): Promise<readonly Throughput[]>;
  buy(order: Order): Promise<void>;
  /** One that is already gone is no error. */
  giveBack(arn: string): Promise<void>;
}

/** What orchestrators read. Each write carries the writer's epoch and loses against a newer one. */
export interface SharedRecords {
  preScaleSignals(): Promise<readonly PreScaleSignal[]>;
  putMitigations(plan: MitigationPlan, epoch: number): Promise<void>;
  putCapacitySet(
    alias: ChatAlias,
    set: readonly WeightedThroughput[],
    epoch: number,
  ): Promise<void>;
  putPrewarm(prewarm: Prewarm): Promise<void>;
}

/** Tells people. */
export interface Pager {
  send(page: Page): Promise<void>;
}

/** Who set a switch, when and why. */
export interface SwitchNote {
  readonly by: string;
  readonly reason: string;
  readonly atMs: number;
}

export const SWITCHES = ['freezeScaleIn', 'freezeScaleOut', 'provisionedOff'] as const;

export type SwitchName = (typeof SWITCHES)[number];

/** Switches of operators; they outlive every process. */
export interface Switches {
  read(): Promise<Readonly<Partial<Record<SwitchName, SwitchNote>>>>;
  set(name: SwitchName, note: SwitchNote): Promise<void>;
  clear(name: SwitchName): Promise<void>;
}

export function freezeOf(set: Readonly<Partial<Record<SwitchName, SwitchNote>>>): Freeze {
  return {
    scaleIn: set.freezeScaleIn !== undefined,
    scaleOut: set.freezeScaleOut !== undefined,
  };
}

/** What one cycle leaves for the next, whichever process runs it. */
export interface Kept {
  readonly state: AutoscalerState;
  readonly notes: Notes;
}

/** The persisted state. Every write carries the epoch of the lease it was made under. */
export interface StateStore {
  /** Takes the state over: from now on no write of an older epoch succeeds. Undefined: one of a newer epoch was there. */
  claim(epoch: number): Promise<Kept | undefined>;
  /** False: somebody else has claimed it. */
  save(kept: Kept, epoch: number): Promise<boolean>;
  /** Looks without taking. */
  peek(): Promise<Kept>;
}

/** The lease as it is stored: whoever beats is alive. */
export interface LeaseItem {
  /** Empty after a release. */
  readonly owner: string;
  readonly epoch: number;
  readonly beat: number;
}

export interface LeaseTable {
  read(): Promise<LeaseItem | undefined>;
  /** Takes it over if it still is as it was seen; false when somebody was faster. */
  take(owner: string, seen: LeaseItem | undefined): Promise<boolean>;
  /** False: it is not ours any more. */
  beat(owner: string, epoch: number): Promise<boolean>;
  release(owner: string, epoch: number): Promise<void>;
}
