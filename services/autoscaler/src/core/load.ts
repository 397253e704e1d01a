import type { PlatformConfiguration } from '@matsuri/contract';
import type { HistoryPoint } from './state';

/** 400 / 0.8 / 500 is a hair above 1 in floating point; it shall not cost a task. */
const ROUNDING = 1e-9;

/** What the service carries, whichever tasks carry it. */
export interface Load {
  /** All models together: a task does not care which one it waits for. */
  readonly tokensPerSecond: number;
  /** Slots that are or would be used if nobody waited. */
  readonly busySlots: number;
}

/** A part that was not measured asks for nothing. */
export function loadOf(point: HistoryPoint): Load {
  return {
    tokensPerSecond: (point.complex ?? 0) + (point.simple ?? 0),
    busySlots: point.busy ?? 0,
  };
}

/** A load that goes on as it went from `before` to `now`. */
export function prolonged(before: Load, now: Load): Load {
  return {
    tokensPerSecond: 2 * now.tokensPerSecond - before.tokensPerSecond,
    busySlots: 2 * now.busySlots - before.busySlots,
  };
}

/** Tasks that carry a load while `fullness` (0 to 1) of each is used. */
export function tasksFor(
  load: Load,
  configuration: PlatformConfiguration,
  fullness: number,
): number {
  const byTokens = load.tokensPerSecond / configuration.autoscaler.tokensPerSecondPerTask;
  const bySlots = load.busySlots / configuration.gateway.slotsPerTask;
  return Math.max(0, Math.ceil(Math.max(byTokens, bySlots) / fullness - ROUNDING));
}
