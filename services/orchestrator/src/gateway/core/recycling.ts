/**
 * After how many requests a process makes room for a fresh one: the configured number give or take the jitter, so that
 * tasks started together do not end together. `draw` is a number in [0, 1).
 */
export function recycleAfter(
  settings: { readonly recycleAfterRequests: number; readonly recycleJitterPercent: number },
  draw: number,
): number {
  const jitter = (settings.recycleJitterPercent / 100) * (2 * draw - 1);
  return Math.max(1, Math.round(settings.recycleAfterRequests * (1 + jitter)));
}
