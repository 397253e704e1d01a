/** How often something may happen: every so often, or several at once after a quiet time. */
export interface PaceSettings {
  readonly everyMs: number;
  readonly burst: number;
}

export interface Pace {
  readonly settings: PaceSettings;
  /** When all that the quiet time allows is there again. */
  restedAtMs: number;
}

export function newPace(settings: PaceSettings): Pace {
  return { settings, restedAtMs: -Infinity };
}

/** How long until it may happen again; 0: now. */
export function paceWaitMs({ settings, restedAtMs }: Pace, nowMs: number): number {
  const { everyMs, burst } = settings;
  return Math.max(0, restedAtMs - (burst - 1) * everyMs - nowMs);
}

/** It happened. */
export function notePace(pace: Pace, nowMs: number): void {
  pace.restedAtMs = Math.max(pace.restedAtMs, nowMs) + pace.settings.everyMs;
}
