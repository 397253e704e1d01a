import type { ActiveToxic, Ending } from './toxic';

/** When and how a connection will be ended by force; `undefined` when it may live. */
export interface Fate {
  readonly atMs: number;
  readonly ending: Ending;
}

/** The earliest end that the toxics on its link have in store for a connection. */
export function connectionFate(
  openedAtMs: number,
  toxics: readonly ActiveToxic[],
): Fate | undefined {
  const fates = toxics.flatMap(({ toxic, addedAtMs }): Fate[] => {
    const sinceMs = Math.max(openedAtMs, addedAtMs);
    if (toxic.type === 'reset_peer') {
      return [{ atMs: sinceMs + (toxic.afterMs ?? 0), ending: 'reset' }];
    }
    if (toxic.type === 'timeout' && toxic.closeAfterMs !== undefined) {
      return [{ atMs: sinceMs + toxic.closeAfterMs, ending: 'close' }];
    }
    return [];
  });
  return fates.sort((a, b) => a.atMs - b.atMs)[0];
}
