import type { LedgerEntry } from './ledger';

/** One call that is over, in the terms of the metrics AWS/Bedrock publishes. */
export interface InvocationEvent {
  readonly modelId: string;
  readonly region: string;
  readonly operation: string;
  readonly endedAtMs: number;
  /** Accepted calls count as invocations, throttled ones do not. */
  readonly kind: 'success' | 'throttle' | 'client-error' | 'server-error';
  readonly latencyMs: number;
  readonly timeToFirstTokenMs?: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadInputTokens: number;
  readonly cacheWriteInputTokens: number;
  /** Quota tokens the call has cost, burndown included. */
  readonly quotaTokens: number;
}

const THROTTLED = 429;

/** The metrics of a finished ledger entry. */
export function invocationEvent(entry: LedgerEntry, quotaTokens: number): InvocationEvent {
  const endedAtMs = entry.endedAtMs ?? entry.startedAtMs;
  return {
    modelId: entry.model,
    region: entry.region,
    operation: entry.operation,
    endedAtMs,
    kind: kindOf(entry.status),
    latencyMs: endedAtMs - entry.startedAtMs,
    ...(entry.firstTokenAtMs === undefined
      ? {}
      : { timeToFirstTokenMs: entry.firstTokenAtMs - entry.startedAtMs }),
    inputTokens: entry.inputTokens,
    outputTokens: entry.tokensEmitted,
    cacheReadInputTokens: entry.cacheReadInputTokens,
    cacheWriteInputTokens: entry.cacheWriteInputTokens,
    quotaTokens,
  };
}

function kindOf(status: number): InvocationEvent['kind'] {
  if (status === THROTTLED) return 'throttle';
  if (status >= 500) return 'server-error';
  return status >= 400 ? 'client-error' : 'success';
}
