import type { ModelTarget, Residency, TokenUsage } from '@matsuri/contract';
import type { GatewayRefusal } from './core/gateway-refusal';
import type { LimitReadings } from './core/limit-reading';
import type { ModelAnswer, ModelEvent } from './core/model-event';
import type { ModelRequest } from './core/model-request';

/** On whose behalf a model is called, and what they may. */
export interface Caller {
  readonly tenantId: string;
  readonly userId: string;
  /** `null`: signed in another way; no token's limits and caps apply. */
  readonly tokenId: string | null;
  /** Aliases and profile ids; `null`: all. */
  readonly allowedModels: readonly string[] | null;
  /** Where the tenant's requests may be processed; `null`: wherever the catalogue goes. */
  readonly residencies: readonly Residency[] | null;
  /** The token's own limits; `null`: none of its own. */
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
}

export interface GatewayCall {
  readonly requestId: string;
  readonly caller: Caller;
  readonly request: ModelRequest;
  /** Aborted when the caller leaves: the model is then stopped at once. */
  readonly signal: AbortSignal;
}

/** Who answered. */
export interface ServedBy {
  readonly target: ModelTarget;
  /** `profile@region`. */
  readonly name: string;
}

/** What an answer came to, in the ledger's figures. */
export interface CallUsage {
  readonly usage: TokenUsage;
  readonly estimated: boolean;
  readonly costMicroUsd: number;
}

/** An answer that has begun: its first content is there. */
export interface StreamedAnswer {
  readonly servedBy: ServedBy;
  readonly limits: LimitReadings;
  /**
   * To be iterated once, to its end or not at all; leaving early stops the model. A model that breaks off throws
   * `ModelCallError`; a silence beyond the limit between two chunks throws `DeadlineExceededError`.
   */
  readonly events: AsyncIterable<readonly ModelEvent[]>;
  /** Known when the answer is over, however it ended. */
  readonly usage: Promise<CallUsage>;
}

export interface WholeAnswer {
  readonly servedBy: ServedBy;
  readonly limits: LimitReadings;
  readonly answer: ModelAnswer;
}

export type Outcome<Answer> =
  | { readonly kind: 'answered'; readonly answer: Answer }
  | { readonly kind: 'refused'; readonly refusal: GatewayRefusal };

export interface GatewayFigures {
  readonly inFlight: number;
  /** Waiting for a slot or for their turn at a model's limits. */
  readonly waiting: number;
  /** Turned away for want of room, and not due back yet. */
  readonly outside: number;
  /** Slots held. */
  readonly active: number;
  /** How long a slot is held, lately; `undefined`: none has come back yet. */
  readonly meanHeldMs: number | undefined;
}

/**
 * The way to the models. Every call is admitted (slot, limits, ledger) before a model is asked, and is accounted for
 * however it ends. Both methods reject with the signal's reason when the caller leaves; everything else is an outcome.
 */
export interface Gateway {
  /** Resolves with the first content, or with why there is none. */
  open(call: GatewayCall): Promise<Outcome<StreamedAnswer>>;
  /** Resolves with the whole answer. */
  complete(call: GatewayCall): Promise<Outcome<WholeAnswer>>;
  /** Refuses a call that there is no room for, whatever it asks: known before its body was read. */
  refuseWhenFull(): GatewayRefusal | undefined;
  /** Somebody was told to come back after so long, for want of room: until then they are part of the queue. */
  turnedAway(backInMs: number): void;
  /** The names a caller may ask models by. */
  modelsFor(caller: Pick<Caller, 'allowedModels' | 'residencies'>): readonly string[];
  figures(): GatewayFigures;
  /** Resolves when no call runs and every settlement has been handed over. */
  idle(): Promise<void>;
  /** What runs now, for the report of a drain. */
  left(): readonly string[];
}
