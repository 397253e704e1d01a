/** `skipped` stages were not started: time was up or someone insisted. */
export interface DrainedStage {
  readonly name: string;
  readonly outcome: 'done' | 'failed' | 'timeout' | 'forced' | 'skipped';
  readonly tookMs: number;
}

export interface DrainReport {
  readonly outcome: 'clean' | 'incomplete' | 'forced';
  readonly stages: readonly DrainedStage[];
  /** What was still running at the end. */
  readonly left: readonly string[];
  readonly tookMs: number;
}

/** Clean means that every stage was done and nothing was left. */
export function drainReport(
  stages: readonly DrainedStage[],
  left: readonly string[],
  tookMs: number,
): DrainReport {
  const forced = stages.some((stage) => stage.outcome === 'forced');
  const clean = left.length === 0 && stages.every((stage) => stage.outcome === 'done');
  return { outcome: forced ? 'forced' : clean ? 'clean' : 'incomplete', stages, left, tookMs };
}
