import type { HistoryRecord } from './history';

/** One call at the model, as the model saw it. */
export interface UpstreamAttempt {
  readonly attemptId: string;
  readonly model: string;
  readonly region: string;
  readonly operation: string;
  readonly script: string;
  readonly outcome: 'running' | 'finished' | 'refused' | 'broken' | 'aborted';
  readonly startedAtMs: number;
  readonly peerClosedAtMs?: number | undefined;
  readonly endedAtMs?: number | undefined;
  readonly inputTokens: number;
  readonly tokensEmitted: number;
  readonly text: string;
  readonly usageSent?: UsageFigures | undefined;
}

export interface UsageFigures {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
}

/** One row of the usage ledger. */
export interface LedgerRow extends UsageFigures {
  readonly attemptId: string;
  readonly requestId: string;
  readonly tenantId: string;
  readonly accountId: string;
  readonly status: 'reserved' | 'settled' | 'estimated' | 'orphaned' | 'coalesced';
  readonly outcome: string | null;
  readonly reservedMoney: number;
  readonly costMoney: number;
  readonly spendDay: string;
  readonly createdAtMs: number;
}

/** What a line of tokens has spent today, as the caps see it. */
export interface SpendCounter {
  readonly accountId: string;
  readonly day: string;
  readonly daySpentMoney: number;
  readonly dayReservedMoney: number;
}

export interface RedisKey {
  readonly key: string;
  /** Negative: it never goes away. */
  readonly ttlMs: number;
}

/** A breaker's change of mind, from the log of a process. */
export interface BreakerTransition {
  readonly atMs: number;
  readonly gateway: string;
  readonly target: string;
  readonly from: string;
  readonly to: string;
}

/** What a process said that no process should say. */
export interface LogProblem {
  readonly gateway: string;
  readonly line: string;
}

/** What is open when nothing happens any more, of each process or link. */
export interface StillOpen {
  readonly what: string;
  readonly count: number;
  readonly allowed: number;
}

/** What the processes were told, as far as it can be held against them. */
export interface Settings {
  readonly slotsPerTask: number;
  readonly gateways: number;
  /** Within which a departure ends the call at the model. */
  readonly departureNoticeMs: number;
  /** How far apart two actors may see the same moment on a busy machine. */
  readonly blurMs: number;
  /** Targets whose requests are limited tightly enough to be seen. */
  readonly buckets: readonly BucketSettings[];
  readonly breaker: { readonly halfOpenPermits: number };
}

export interface BucketSettings {
  readonly model: string;
  readonly region: string;
  readonly requestsPerMinute: number;
  readonly burst: number;
}

/** Everything a run left behind that the checker may look at. */
export interface Evidence {
  readonly settings: Settings;
  readonly history: readonly HistoryRecord[];
  readonly upstream: readonly UpstreamAttempt[];
  readonly rows: readonly LedgerRow[];
  readonly counters: readonly SpendCounter[];
  readonly redisKeys: readonly RedisKey[];
  readonly transitions: readonly BreakerTransition[];
  readonly logProblems: readonly LogProblem[];
  readonly stillOpen: readonly StillOpen[];
}
