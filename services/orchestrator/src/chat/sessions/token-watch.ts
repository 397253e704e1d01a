import {
  isFresh,
  tokenState,
  type ApiToken,
  type ApiTokenRepository,
  type TokenChanges,
} from '@matsuri/database';

/** Which API token a connection was opened under. */
export interface TokenId {
  readonly tenantId: string;
  readonly tokenId: string;
}

/** Knows whether the token a connection was opened under still holds, long after it was shown. */
export interface TokenWatch {
  /** The token while it holds, `undefined` when it does no more; rejects when the database cannot say. */
  current(id: TokenId): ApiToken | undefined | Promise<ApiToken | undefined>;
  /** Whether it is known to have ended, from memory alone. */
  hasEnded(id: TokenId): boolean;
  /** Calls back with the id of each token that changed. */
  onChange(hear: (tokenId: string) => void): void;
}

export interface TokenWatchOptions {
  readonly repository: Pick<ApiTokenRepository, 'get'>;
  readonly changes: Pick<TokenChanges, 'listeningSinceMs' | 'onChange'>;
}

interface Known {
  readonly token: ApiToken | undefined;
  readonly askedAtMs: number;
}

const MAX_KNOWN = 20_000;

export function createTokenWatch({ repository, changes }: TokenWatchOptions): TokenWatch {
  const known = new Map<string, Known>();
  const asking = new Map<string, Promise<ApiToken | undefined>>();

  const remember = (tokenId: string, entry: Known): void => {
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(tokenId, entry);
  };
  changes.onChange((tokenId) => {
    known.delete(tokenId);
    asking.delete(tokenId);
  });

  const read = async ({ tenantId, tokenId }: TokenId): Promise<Known> => {
    const askedAtMs = performance.now();
    return { token: await repository.get(tenantId, tokenId), askedAtMs };
  };

  const askOnce = (id: TokenId): Promise<ApiToken | undefined> => {
    const underWay = asking.get(id.tokenId);
    if (underWay) return underWay;
    const answer = read(id).then(
      (entry) => {
        // A change told while we asked may be the one this answer does not know of yet.
        if (asking.get(id.tokenId) !== answer) return askOnce(id);
        asking.delete(id.tokenId);
        remember(id.tokenId, entry);
        return active(entry.token);
      },
      (error: unknown) => {
        if (asking.get(id.tokenId) === answer) asking.delete(id.tokenId);
        throw error;
      },
    );
    asking.set(id.tokenId, answer);
    return answer;
  };

  return {
    current(id) {
      const entry = known.get(id.tokenId);
      const nowMs = performance.now();
      if (entry && isFresh(entry.askedAtMs, changes.listeningSinceMs(), nowMs)) {
        return entry.token?.tenantId === id.tenantId ? active(entry.token) : undefined;
      }
      return askOnce(id);
    },
    hasEnded({ tokenId }) {
      const entry = known.get(tokenId);
      return entry !== undefined && active(entry.token) === undefined;
    },
    onChange: (hear) => changes.onChange(hear),
  };
}

function active(token: ApiToken | undefined): ApiToken | undefined {
  return token && tokenState(token, Date.now()) === 'active' ? token : undefined;
}
