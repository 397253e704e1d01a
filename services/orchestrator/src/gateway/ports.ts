import type { ModelTarget } from '@matsuri/contract';

import type { ModelAnswer, ModelEvent } from './core/model-event';
import type { ModelRequest } from './core/model-request';

/** Where one attempt goes: a profile called in a region, or a provisioned throughput there. */
export interface CallTarget extends ModelTarget {
  /** Put into `modelId` instead of the profile when capacity was bought. */
  readonly provisionedArn?: string;
}

export interface CallOptions {
  /** Travels upstream as a header, so that both ledgers can be joined. */
  readonly attemptId: string;
  /** Aborting it ends the upstream call and frees its socket at once. */
  readonly signal: AbortSignal;
}

/**
 * The model behind a target. A failed call throws `ModelCallError`; an abort throws the signal's reason.
 * Nothing is retried here.
 */
export interface ModelCaller {
  /**
   * Resolves when the upstream accepted the call. Events come in the batches in which they arrived, so that a
   * burst costs one turn of the loop. Leaving the iteration early ends the call.
   */
  stream(
    target: CallTarget,
    request: ModelRequest,
    options: CallOptions,
  ): Promise<AsyncIterable<readonly ModelEvent[]>>;

  complete(target: CallTarget, request: ModelRequest, options: CallOptions): Promise<ModelAnswer>;
}

export type ModelFailure =
  /** Over a quota: another target may have room. */
  | 'throttled'
  /** 5xx, a broken or silent connection, a broken frame: another target may do better. */
  | 'unavailable'
  /** All of this task's own connections are taken: no word about the model. */
  | 'no-connection'
  /** The request itself is at fault: no target will do better. */
  | 'invalid-request'
  /** The model is not to be had under this name or with these credentials: ours to mend. */
  | 'misconfigured';

export class ModelCallError extends Error {
  override readonly name = 'ModelCallError';

  constructor(
    readonly failure: ModelFailure,
    message: string,
    options?: ErrorOptions & { readonly retryAfterMs?: number; readonly mayHaveCost?: boolean },
  ) {
    super(message, options);
    this.retryAfterMs = options?.retryAfterMs;
    this.mayHaveCost = options?.mayHaveCost ?? false;
  }

  readonly retryAfterMs: number | undefined;
  /** The model may have worked for it: its answer was lost or could not be read. */
  readonly mayHaveCost: boolean;
}
