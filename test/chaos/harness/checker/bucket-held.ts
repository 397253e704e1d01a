import type { BucketSettings, Evidence } from '../evidence';
import type { FaultEvent, HistoryRecord } from '../history';
import type { Violation } from './violation';

const MINUTE_MS = 60_000;

/** A Redis that lost its data may have been found full once by a process that had just started. */
const BURSTS_PER_REDIS_FAULT = 1;

/**
 * I3: over every interval, calls that reached a target are at most rate × length + burst. Between a grant and
 * the call's arrival lies the ledger, so an interval is widened by the blur.
 */
export function bucketHeld(evidence: Evidence): readonly Violation[] {
  return evidence.settings.buckets.flatMap((bucket) => {
    const arrivals = evidence.upstream
      .filter(({ model, region }) => model === bucket.model && region === bucket.region)
      .map(({ startedAtMs }) => startedAtMs)
      .sort((a, b) => a - b);
    const worst = worstExcess(arrivals, bucket, evidence.settings.blurMs);
    const slack = redisFaults(evidence.history) * BURSTS_PER_REDIS_FAULT * bucket.burst;
    if (worst.excess <= slack) return [];
    const message =
      `${worst.excess.toFixed(1)} calls over the limit between ${worst.fromMs.toFixed(0)} and ` +
      `${worst.toMs.toFixed(0)} (allowed in excess: ${slack})`;
    const subject = `${bucket.model}@${bucket.region}`;
    return [{ invariant: 'I3', subject, message } as const];
  });
}

interface Excess {
  readonly excess: number;
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * The largest excess over all intervals in one pass: an interval begins at the arrival where arrivals so far
 * less rate × time was lowest.
 */
function worstExcess(
  arrivals: readonly number[],
  { requestsPerMinute, burst }: Pick<BucketSettings, 'requestsPerMinute' | 'burst'>,
  blurMs: number,
): Excess {
  const ratePerMs = requestsPerMinute / MINUTE_MS;
  let worst: Excess = { excess: -Infinity, fromMs: 0, toMs: 0 };
  let lowest = Infinity;
  let fromMs = 0;
  for (const [index, atMs] of arrivals.entries()) {
    const before = index - ratePerMs * atMs;
    if (before < lowest) {
      lowest = before;
      fromMs = atMs;
    }
    const excess = before + 1 - lowest - burst - ratePerMs * blurMs;
    if (excess > worst.excess) worst = { excess, fromMs, toMs: atMs };
  }
  return worst;
}

function redisFaults(history: readonly HistoryRecord[]): number {
  const isRedisFault = (record: HistoryRecord): record is FaultEvent =>
    record.op === 'fault' && record.id === 'redis' && record.event === 'injected';
  return history.filter(isRedisFault).length;
}
