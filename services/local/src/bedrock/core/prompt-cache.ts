/** How far back from a cache point an earlier prefix is still looked for. */
const LOOK_BACK_BLOCKS = 20;

/** Longest time an entry lives without being read. */
export type CacheTtl = '5m' | '1h';

const CACHE_TTL_MS: Readonly<Record<CacheTtl, number>> = { '5m': 300_000, '1h': 3_600_000 };

/** The prompt up to the end of one block: a hash that names it, and its tokens. */
export interface PromptPrefix {
  readonly hash: string;
  readonly tokens: number;
  /** Present where a cache point follows the block. */
  readonly cachePoint?: CacheTtl;
}

export interface CacheEntry {
  readonly ttl: CacheTtl;
  readonly expiresAtMs: number;
}

/** Prefixes by scope (model and region) and hash; an expired one counts as absent. */
export type PromptCacheState = ReadonlyMap<string, CacheEntry>;

export interface CachedInput {
  readonly readTokens: number;
  readonly writeTokens: number;
  readonly written: readonly { readonly ttl: CacheTtl; readonly inputTokens: number }[];
  /** Entries to put into the state: new ones, and the one that was read, prolonged. */
  readonly changed: PromptCacheState;
}

const NOTHING_CACHED: CachedInput = {
  readTokens: 0,
  writeTokens: 0,
  written: [],
  changed: new Map(),
};

interface Lookup {
  readonly state: PromptCacheState;
  readonly scope: string;
  readonly minTokens: number;
  readonly nowMs: number;
}

/**
 * Reads the longest live prefix and stores those that end in a cache point beyond it. Prefixes under
 * `minTokens` are neither stored nor found, as with the real cache.
 */
export function consultPromptCache(lookup: Lookup, prefixes: readonly PromptPrefix[]): CachedInput {
  const longEnough = prefixes.filter(({ tokens }) => tokens >= lookup.minTokens);
  const points = longEnough.filter(({ cachePoint }) => cachePoint);
  if (points.length === 0) return NOTHING_CACHED;

  const changed = new Map<string, CacheEntry>();
  const found = longestLive(lookup, longEnough);
  if (found) changed.set(found.key, entryFor(found.ttl, lookup.nowMs));

  const readTokens = found?.tokens ?? 0;
  const written = store(lookup, points, readTokens, changed);
  const writeTokens = written.reduce((sum, { inputTokens }) => sum + inputTokens, 0);
  return { readTokens, writeTokens, written, changed };
}

function longestLive(
  { state, scope, nowMs }: Lookup,
  prefixes: readonly PromptPrefix[],
): { key: string; ttl: CacheTtl; tokens: number } | undefined {
  for (let index = prefixes.length - 1; index >= 0; index -= 1) {
    const prefix = prefixes[index];
    const window = prefixes.slice(index, index + LOOK_BACK_BLOCKS + 1);
    if (!prefix || !window.some(({ cachePoint }) => cachePoint)) continue;
    const key = `${scope}|${prefix.hash}`;
    const entry = state.get(key);
    if (entry && entry.expiresAtMs > nowMs) return { key, ttl: entry.ttl, tokens: prefix.tokens };
  }
  return undefined;
}

function entryFor(ttl: CacheTtl, nowMs: number): CacheEntry {
  return { ttl, expiresAtMs: nowMs + CACHE_TTL_MS[ttl] };
}

function store(
  { scope, nowMs }: Lookup,
  points: readonly PromptPrefix[],
  readTokens: number,
  changed: Map<string, CacheEntry>,
): { ttl: CacheTtl; inputTokens: number }[] {
  let covered = readTokens;
  const written: { ttl: CacheTtl; inputTokens: number }[] = [];
  for (const { hash, tokens, cachePoint = '5m' } of points) {
    if (tokens <= covered) continue;
    changed.set(`${scope}|${hash}`, entryFor(cachePoint, nowMs));
    written.push({ ttl: cachePoint, inputTokens: tokens - covered });
    covered = tokens;
  }
  return written;
}
