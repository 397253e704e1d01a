import type { PlatformConfiguration } from '../configuration/platform';

/** Two figures that cannot both be true, with what to change. */
export interface Contradiction {
  /** Stable; the key to acknowledge it by. */
  readonly id: string;
  /** An error fails synth and start-up; a warning is printed. */
  readonly severity: 'error' | 'warning';
  /** What is wrong, with the numbers, and what it would do. */
  readonly message: string;
  /** What to change, by its path in the configuration. */
  readonly fix: string;
}

/** Looks for one kind of contradiction in a whole configuration. */
export type TruthCheck = (
  configuration: PlatformConfiguration,
  nowMs: number,
) => readonly Contradiction[];

export function error(id: string, message: string, fix: string): Contradiction {
  return { id, severity: 'error', message, fix };
}

export function warning(id: string, message: string, fix: string): Contradiction {
  return { id, severity: 'warning', message, fix };
}

/** Large figures as people write them. */
export function figure(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 2 });
}
