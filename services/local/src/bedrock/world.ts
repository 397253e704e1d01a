import type { Clock } from '../clock/clock';
import type { Capacity } from './capacity';
import type { Model, Pacing } from './core/models';
import type { Offering } from './core/model-target';
import type { Ledger } from './ledger';
import type { PromptCacheStore } from './prompt-cache-store';
import type { ScriptQueue } from './script-queue';
import type { InvocationEvent } from './invocation-event';

/** Everything calls share: what can be called, what is left of it, and what was done. */
export interface World {
  readonly clock: Clock;
  readonly offering: Offering;
  readonly capacity: Capacity;
  readonly promptCache: PromptCacheStore;
  readonly scripts: ScriptQueue;
  readonly ledger: Ledger;
  pacingOf(model: Model): Pacing;
  onInvocation(event: InvocationEvent): void;
}

/** One request to the runtime API, read and signed for. */
export interface Call {
  readonly operation: string;
  readonly modelId: string;
  readonly region: string;
  readonly attemptId: string;
  readonly requestId: string;
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}
