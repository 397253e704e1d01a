import type { TokenUsage } from '@matsuri/contract';
import type { SpendPeriod } from '../core/spend-period';

/** One call to a model that is about to be made, and the most it can cost. */
export interface Reservation {
  /** A UUID made for this attempt alone; version 7 keeps the ledger's index compact. */
  readonly attemptId: string;
  readonly requestId: string;
  readonly tenantId: string;
  readonly userId: string;
  /** `null`: the caller signed in another way; no token's caps apply. */
  readonly tokenId: string | null;
  /** As the client asked: an alias or an id. */
  readonly requestedModel: string;
  /** The model this attempt calls. */
  readonly servedModel: string;
  readonly region: string;
  /** `on-demand`, or the ARN of a provisioned throughput. */
  readonly target: string;
  readonly reservedMicroUsd: number;
}

/** A request that was answered by another request's attempt. */
export type CoalescedRequest = Omit<Reservation, 'reservedMicroUsd'>;

/** Whether the call may be made. Only after `granted` is the row durable. */
export type ReserveOutcome =
  | { readonly granted: true }
  | {
      readonly granted: false;
      readonly refused: 'spend-cap';
      readonly cap: SpendPeriod;
      /** When the counters of that period start again. */
      readonly resetsAt: Date;
    }
  | { readonly granted: false; readonly refused: 'token-inactive' };

/** How an attempt ended. */
export type AttemptOutcome =
  'completed' | 'upstream-error' | 'timed-out' | 'client-gone' | 'failed-over' | 'not-called';

/** What an attempt came to. */
export interface Settlement extends TokenUsage {
  readonly attemptId: string;
  /** `settled`: the model's own figures; `estimated`: counted by us. */
  readonly status: 'settled' | 'estimated';
  readonly outcome: AttemptOutcome;
  readonly costMicroUsd: number;
  readonly clientDisconnected: boolean;
}

/** Nothing was read or written, as far as anyone knows. */
export const NO_USAGE: TokenUsage = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
};

/**
 * `deferred`: not durable within the caller's time; the ledger keeps it and goes on trying.
 * `already-settled`: a settlement of this attempt was recorded before; this one changed nothing.
 */
export type SettleOutcome = 'recorded' | 'already-settled' | 'unknown-attempt' | 'deferred';
