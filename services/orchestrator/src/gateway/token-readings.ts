import { limitsOfHolder, type LimitHolder } from './core/limit-holder';
import {
  noteGrant,
  readLimit,
  type LimitGrant,
  type LimitReadings,
  type MinuteBuckets,
} from './core/limit-reading';
import { UNLIMITED, type MinuteLimits } from './core/minute-limits';
import type { CallAmounts } from './core/token-amounts';

/** What tokens with limits of their own have left, as their last grant here said. */
export interface TokenReadings {
  note(holder: LimitHolder, grant: Omit<LimitGrant, 'perMinute'>, nowMs: number): void;
  /** Whether the holder's limits, as far as is known here, leave room for this many times what a call takes. */
  leaveRoomFor(holder: LimitHolder, amounts: CallAmounts, times: number, nowMs: number): boolean;
  read(holder: LimitHolder, nowMs: number): LimitReadings;
}

interface Buckets extends MinuteBuckets {
  readonly perMinute: MinuteLimits;
}

// A bucket is full again after a minute: forgetting the oldest of so many forgets nothing in practice.
const MAX_HOLDERS = 10_000;

export function createTokenReadings(): TokenReadings {
  const buckets = new Map<LimitHolder, Buckets>();

  const of = (holder: LimitHolder): Buckets => {
    const known = buckets.get(holder);
    if (known) return known;
    const [oldest] = buckets.size >= MAX_HOLDERS ? buckets.keys() : [];
    if (oldest !== undefined) buckets.delete(oldest);
    const perMinute = limitsOfHolder(holder);
    const fresh = { perMinute, requests: { fullAtMs: 0 }, tokens: { fullAtMs: 0 } };
    buckets.set(holder, fresh);
    return fresh;
  };

  return {
    note(holder, grant, nowMs) {
      const left = of(holder);
      noteGrant(left, { ...grant, perMinute: left.perMinute }, nowMs);
    },
    leaveRoomFor(holder, amounts, times, nowMs) {
      const { perMinute, requests, tokens } = of(holder);
      return (
        readLimit(requests, perMinute.requests, nowMs).remaining >= times * amounts.requests &&
        readLimit(tokens, perMinute.tokens, nowMs).remaining >= times * amounts.tokens
      );
    },
    read(holder, nowMs) {
      const { perMinute, requests, tokens } = of(holder);
      return {
        ...(perMinute.requests < UNLIMITED && {
          requests: readLimit(requests, perMinute.requests, nowMs),
        }),
        ...(perMinute.tokens < UNLIMITED && { tokens: readLimit(tokens, perMinute.tokens, nowMs) }),
      };
    },
  };
}
