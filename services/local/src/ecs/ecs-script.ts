/** Misbehaviour of ECS that is not an error: placements that fail, tasks that never start, stale lists. */
export interface EcsScript {
  /** Lets the next RunTask calls place nothing and answer `failures[]`. */
  refusePlacement(reason: string, times?: number): void;
  /** Lets the next tasks die before their program starts. */
  failStarts(reason: string, times?: number): void;
  /** Lets ListTasks answer as it would have this long ago; 0 ends it. */
  staleListings(byMs: number): void;
}

/** What the cluster asks the script. */
export interface EcsScriptState extends EcsScript {
  takePlacementFailure(): string | undefined;
  takeStartFailure(): string | undefined;
  staleByMs(): number;
}

export function ecsScript(): EcsScriptState {
  const placements: string[] = [];
  const starts: string[] = [];
  let staleByMs = 0;
  const queue =
    (waiting: string[]) =>
    (reason: string, times = 1): void => {
      waiting.push(...Array.from({ length: times }, () => reason));
    };
  return {
    refusePlacement: queue(placements),
    failStarts: queue(starts),
    staleListings(byMs) {
      staleByMs = byMs;
    },
    takePlacementFailure: () => placements.shift(),
    takeStartFailure: () => starts.shift(),
    staleByMs: () => staleByMs,
  };
}
