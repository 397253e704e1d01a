import type { ScriptName } from './core/scripts';
import type { TokenUsage } from './core/usage';

export type CallOutcome = 'running' | 'finished' | 'refused' | 'broken' | 'aborted';

/** What really happened in one attempt at the stand-in: the ground truth others are held against. */
export interface LedgerEntry {
  readonly id: number;
  /** `x-attempt-id`, else `amz-sdk-invocation-id`, else the request id. */
  readonly attemptId: string;
  readonly requestId: string;
  readonly operation: string;
  /** The `modelId` as it was sent. */
  readonly model: string;
  readonly region: string;
  readonly startedAtMs: number;
  script: ScriptName;
  /** The HTTP status of the answer; 0 while there is none. */
  status: number;
  /** The code of the error the call was refused with. */
  error?: string;
  outcome: CallOutcome;
  inputTokens: number;
  cacheReadInputTokens: number;
  cacheWriteInputTokens: number;
  /** Output tokens handed to the socket, or generated for nobody once the caller had left. */
  tokensEmitted: number;
  /** Output tokens the socket has taken. */
  tokensWritten: number;
  /** Bytes of the body the socket has taken. */
  bytesWritten: number;
  /** The text among the emitted tokens, without thoughts and tool input. */
  text: string;
  /** The usage the caller was sent, once it was. */
  usageSent?: TokenUsage;
  firstTokenAtMs?: number;
  /** When the caller left before the answer was complete. */
  peerClosedAtMs?: number;
  endedAtMs?: number;
}

/** How many calls ran at the same time. */
export interface Overlap {
  readonly running: number;
  readonly peak: number;
}

export interface Ledger {
  open(
    call: Pick<LedgerEntry, 'attemptId' | 'requestId' | 'operation' | 'model' | 'region'>,
  ): LedgerEntry;
  /** The caller no longer holds a connection for this call. */
  release(entry: LedgerEntry): void;
  /** Oldest first; entries are live objects of the ledger, not copies. */
  entries(): readonly LedgerEntry[];
  overlap(): Overlap;
  overlapByTarget(): Readonly<Record<string, Overlap>>;
  clear(): void;
}

/** Keeps the latest `limit` calls and how many of them overlapped. */
export function createLedger(nowMs: () => number, limit: number): Ledger {
  let entries: LedgerEntry[] = [];
  let lastId = 0;
  let held = new Map<LedgerEntry, string>();
  let overlaps = new Map<string, { running: number; peak: number }>();

  const count = (key: string, change: number): void => {
    const overlap = overlaps.get(key) ?? { running: 0, peak: 0 };
    overlap.running += change;
    overlap.peak = Math.max(overlap.peak, overlap.running);
    overlaps.set(key, overlap);
  };

  return {
    open(call) {
      lastId += 1;
      const entry: LedgerEntry = { ...BLANK, ...call, id: lastId, startedAtMs: nowMs() };
      entries.push(entry);
      // Twice the limit before the cut, so that it costs next to nothing per call.
      if (entries.length > limit * 2) entries = entries.slice(-limit);
      const target = `${call.model}|${call.region}`;
      held.set(entry, target);
      count(ALL, 1);
      count(target, 1);
      return entry;
    },
    release(entry) {
      const target = held.get(entry);
      if (target === undefined) return;
      held.delete(entry);
      count(ALL, -1);
      count(target, -1);
    },
    entries: () => (entries.length > limit ? entries.slice(-limit) : entries),
    overlap: () => ({ ...(overlaps.get(ALL) ?? { running: 0, peak: 0 }) }),
    overlapByTarget: () =>
      Object.fromEntries(
        [...overlaps].filter(([key]) => key !== ALL).map(([key, value]) => [key, { ...value }]),
      ),
    clear() {
      entries = [];
      held = new Map();
      overlaps = new Map();
    },
  };
}

const ALL = '';

const BLANK = {
  script: 'ok',
  status: 0,
  outcome: 'running',
  inputTokens: 0,
  cacheReadInputTokens: 0,
  cacheWriteInputTokens: 0,
  tokensEmitted: 0,
  tokensWritten: 0,
  bytesWritten: 0,
  text: '',
} as const;
