import type { Engines } from '@matsuri/local';

declare global {
  // jest loads set-up and tear-down as separate module graphs of one process; here they meet.
  var matsuriEngines: Engines | undefined;
}

/** Leaves the engines for the tear-down to find. */
export function forTeardown(engines: Engines): void {
  globalThis.matsuriEngines = engines;
}

/** The engines the set-up started, if it did. */
export function startedEngines(): Engines | undefined {
  return globalThis.matsuriEngines;
}
