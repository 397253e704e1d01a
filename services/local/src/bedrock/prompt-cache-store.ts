import { consultPromptCache } from './core/prompt-cache';
import type { CachedInput, CacheEntry, PromptPrefix } from './core/prompt-cache';

/** Prompt prefixes remembered across calls. */
export interface PromptCacheStore {
  consult(scope: string, minTokens: number, prefixes: readonly PromptPrefix[]): CachedInput;
  /** Makes the prefixes of an accepted call known to the next. */
  commit(cached: CachedInput): void;
  clear(): void;
}

const SWEEP_ABOVE_ENTRIES = 1_000;

export function createPromptCacheStore(nowMs: () => number): PromptCacheStore {
  const state = new Map<string, CacheEntry>();
  let sweepAbove = SWEEP_ABOVE_ENTRIES;

  const sweep = (): void => {
    for (const [key, entry] of state) if (entry.expiresAtMs <= nowMs()) state.delete(key);
    sweepAbove = Math.max(SWEEP_ABOVE_ENTRIES, state.size * 2);
  };

  return {
    consult: (scope, minTokens, prefixes) =>
      consultPromptCache({ state, scope, minTokens, nowMs: nowMs() }, prefixes),
    commit({ changed }) {
      for (const [key, entry] of changed) state.set(key, entry);
      if (state.size > sweepAbove) sweep();
    },
    clear: () => state.clear(),
  };
}
