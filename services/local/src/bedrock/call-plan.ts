import type { Reservation } from './capacity';
import type { QuotaUsage } from './core/quota';
import type { Reply } from './core/reply';
import type { TokenUsage } from './core/usage';

/** What a call will get and what it will cost, decided before the first byte is sent. */
export interface CallPlan {
  readonly reply: Reply;
  readonly input: QuotaUsage;
  /** The usage the reply states, when it does. */
  readonly usage?: TokenUsage;
  /** The text among the first so many output tokens. */
  textOfFirst(tokens: number): string;
  readonly reservation?: Reservation;
  /** Quota tokens that one output token costs. */
  readonly burndown: number;
}

const NO_INPUT: QuotaUsage = { inputTokens: 0, cacheReadInputTokens: 0, cacheWriteInputTokens: 0 };

/** A plan for a reply that no model had a part in. */
export function planWithoutModel(reply: Reply): CallPlan {
  return { reply, input: NO_INPUT, textOfFirst: () => '', burndown: 1 };
}
