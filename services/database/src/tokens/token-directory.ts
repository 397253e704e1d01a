import { isWellFormedToken } from '../core/api-token';
import { createLru } from '../core/lru';
import type { PepperRing } from '../core/pepper-ring';
import { freshnessLimits, isFresh } from '../core/token-freshness';
import { tokenState } from '../core/token-state';
import type { TokenState } from '../core/token-state';
import { createGroupCommit } from '../batching/group-commit';
import { systemTimers } from '../batching/timers';
import type { ApiToken, StoredToken } from './api-token-record';
import type { ApiTokenRepository } from './api-token-repository';
import type { TokenChanges } from './token-changes';
import { allDigests, isSameDigest, memoryKey } from './token-digest';
import type { TokenDigest } from './token-digest';

/** Whether a caller may come in. */
export type Authentication =
  | { readonly ok: true; readonly token: ApiToken }
  | {
      readonly ok: false;
      readonly reason: 'malformed' | 'unknown' | Exclude<TokenState, 'active'>;
    };

export interface TokenDirectoryOptions {
  readonly repository: Pick<ApiTokenRepository, 'findByDigests'>;
  readonly changes: Pick<TokenChanges, 'listeningSinceMs' | 'onChange'>;
  readonly ring: PepperRing;
  /**
   * User information is never older than this.
   *
   * @default 300000
   */
  readonly cacheMs?: number;
  /**
   * A revocation holds here after this long, even while nobody tells us of it.
   *
   * @default 1000
   */
  readonly revocationMs?: number;
  /**
   * Tokens remembered, and strangers remembered.
   *
   * @default 20000
   */
  readonly maxEntries?: number;
  /**
   * Longest wait for the database.
   *
   * @default 2000
   */
  readonly timeoutMs?: number;
  /** @default real time */
  readonly clock?: DirectoryClock;
}

/** Time as the directory needs it. */
export interface DirectoryClock {
  /** Only goes forward. */
  monotonicMs(): number;
  wallMs(): number;
}

/**
 * Knows who a token belongs to, from memory where it can. A revocation takes effect within a second in every process: it
 * is pushed, and while it cannot be, what is remembered is asked for again.
 */
export interface TokenDirectory {
  /** Rejects with `DatabaseUnavailableError` when the database must be asked and cannot. */
  authenticate(plaintext: string): Promise<Authentication>;
  readonly size: number;
}

interface Known {
  readonly token: ApiToken;
  readonly askedAtMs: number;
}

// A stranger stays one; this only bounds how long a wrong answer could last.
const STRANGER_MS = 10_000;

const systemClock: DirectoryClock = {
  monotonicMs: () => performance.now(),
  wallMs: () => Date.now(),
};

/** Creates an empty directory, which hears of changes from now on. */
export function createTokenDirectory(options: TokenDirectoryOptions): TokenDirectory {
  const { repository, changes, ring, clock = systemClock } = options;
  const { maxEntries = 20_000, timeoutMs = 2_000 } = options;
  const limits = freshnessLimits(options.cacheMs ?? 300_000, options.revocationMs ?? 1_000);
  const known = createLru<string, Known>(maxEntries);
  const strangers = createLru<string, number>(maxEntries);
  const keyOfToken = new Map<string, string>();
  const asking = new Map<string, Promise<ApiToken | undefined>>();
  let changeCount = 0;

  const forget = (tokenId: string): void => {
    changeCount += 1;
    // Who comes from now on must not be given the answer to a question put before the change.
    asking.clear();
    const key = keyOfToken.get(tokenId);
    keyOfToken.delete(tokenId);
    if (key !== undefined) known.delete(key);
  };
  changes.onChange(forget);

  const lookups = createGroupCommit<readonly TokenDigest[], StoredToken | undefined>({
    async write(batch) {
      const found = await repository.findByDigests(batch.flat().map(({ digest }) => digest));
      const byDigest = new Map(found.map((stored) => [stored.digest.toString('hex'), stored]));
      return batch.map((digests) => ({ ok: matching(digests, byDigest) }));
    },
    maxBatch: 128,
    maxWaiting: 5_000,
    maxInFlight: 1,
    timers: systemTimers,
  });

  const ask = async (key: string, plaintext: string): Promise<ApiToken | undefined> => {
    const changesBefore = changeCount;
    const askedAtMs = clock.monotonicMs();
    const stored = await lookups.submit(allDigests(plaintext, ring), timeoutMs);
    if (stored === undefined) {
      strangers.set(key, askedAtMs);
      return undefined;
    }
    const { token } = stored;
    // A change told while we asked may be the one this answer does not know of yet: use it, do not keep it.
    if (changeCount === changesBefore) remember(key, { token, askedAtMs });
    return token;
  };

  const remember = (key: string, entry: Known): void => {
    keyOfToken.set(entry.token.id, key);
    const displaced = known.set(key, entry);
    if (displaced) keyOfToken.delete(displaced.token.id);
  };

  const askOnce = (key: string, plaintext: string): Promise<ApiToken | undefined> => {
    const underWay = asking.get(key);
    if (underWay) return underWay;
    const answer = ask(key, plaintext).finally(() => {
      if (asking.get(key) === answer) asking.delete(key);
    });
    asking.set(key, answer);
    return answer;
  };

  const remembered = (key: string): ApiToken | undefined => {
    const entry = known.get(key);
    if (entry === undefined) return undefined;
    return isFresh(entry.askedAtMs, changes.listeningSinceMs(), clock.monotonicMs(), limits)
      ? entry.token
      : undefined;
  };

  const isStranger = (key: string): boolean => {
    const askedAtMs = strangers.get(key);
    return askedAtMs !== undefined && clock.monotonicMs() - askedAtMs < STRANGER_MS;
  };

  const lookUp = async (key: string, plaintext: string) => {
    if (!isWellFormedToken(plaintext)) return 'malformed' as const;
    return isStranger(key) ? undefined : askOnce(key, plaintext);
  };

  return {
    async authenticate(plaintext) {
      const key = memoryKey(plaintext);
      const token = remembered(key) ?? (await lookUp(key, plaintext));
      if (token === 'malformed') return { ok: false, reason: token };
      if (token === undefined) return { ok: false, reason: 'unknown' };
      const state = tokenState(token, clock.wallMs());
      return state === 'active' ? { ok: true, token } : { ok: false, reason: state };
    },
    get size() {
      return known.size;
    },
  };
}

function matching(
  digests: readonly TokenDigest[],
  byDigest: ReadonlyMap<string, StoredToken>,
): StoredToken | undefined {
  for (const digest of digests) {
    const stored = byDigest.get(digest.digest.toString('hex'));
    if (stored && isSameDigest(digest, stored)) return stored;
  }
  return undefined;
}
