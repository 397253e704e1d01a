import type { Amounts, Limits } from './core/bucket-limits';

/** One request's demand on the bucket. */
export interface Demand<D extends string> {
  readonly id: string;
  readonly tenant: string;
  readonly amounts: Amounts<D>;
}

/**
 * `granted`: the place is taken and its time comes in `waitMs`. `later`: nothing is taken, ask again in `waitMs`.
 * `refused`: a place would come only in `waitMs`, beyond what the caller would wait; nothing is taken.
 */
export type BucketAnswer<D extends string> =
  | {
      readonly kind: 'granted';
      readonly waitMs: number;
      /** The grant's instant on the clock of the bucket that gave it. */
      readonly grantedAtMicros: number;
      /** How long each dimension takes to be full again, this grant included; absent where only one process is seen. */
      readonly untilFullMs?: Amounts<D>;
      /** Who gave it, and so takes the settlement. */
      readonly bucket: Bucket<D>;
    }
  | { readonly kind: 'later' | 'refused'; readonly waitMs: number };

/** A limit that hands out places. A throw means that it could not be asked; the place may or may not be taken. */
export interface Bucket<D extends string> {
  readonly source: 'shared' | 'local';
  ask(demand: Demand<D>, maxWaitMs: number): Promise<BucketAnswer<D>>;
  /** Charges or refunds the difference between what was reserved and what was used. */
  settle(demand: Demand<D>, actual: Amounts<D>): Promise<void>;
  /** Gives the place back, before its time or after. */
  cancel(demand: Demand<D>): Promise<void>;
}

/** The limits of one group (a model in a region) and of each tenant below it. */
export interface BucketPolicy<D extends string> {
  readonly limits: Limits<D>;
  readonly tenantLimits: (tenant: string) => Limits<D>;
  /** Future places one tenant may hold over all processes. */
  readonly maxBookedPerTenant: number;
  /** Future places all tenants may hold together. */
  readonly maxBooked: number;
}

/** Two places per tenant: while one is being used up, the next is already in line. */
export const DEFAULT_BOOKINGS = { maxBookedPerTenant: 2, maxBooked: 256 } as const;
