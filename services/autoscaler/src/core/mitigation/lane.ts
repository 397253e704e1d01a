import type { PlatformConfiguration } from '@matsuri/contract';
import type { LaneState } from '../state';
import type { Pressure } from './pressure';

/**
 * One more mitigation per cycle while pressed, one fewer per revert step when not:
 *
 *   rest ──pressed──► rung 1 ──still pressed, next cycle──► rung n
 *   rung n ──free for revertStepSeconds──► rung n-1 ──…──► rest
 *
 * Nobody knows: nothing moves.
 */
export function moved(
  lane: LaneState | undefined,
  pressure: Pressure,
  rungs: number,
  configuration: PlatformConfiguration,
  nowMs: number,
): LaneState | undefined {
  if (pressure.on === undefined) return lane;
  if (pressure.on) return climbed(lane, pressure, rungs, configuration, nowMs);
  return lane === undefined ? undefined : reverted(lane, configuration, nowMs);
}

function climbed(
  lane: LaneState | undefined,
  { reason }: Pressure,
  rungs: number,
  { autoscaler }: PlatformConfiguration,
  nowMs: number,
): LaneState {
  if (lane === undefined) {
    return { sinceMs: nowMs, pressedAtMs: nowMs, movedAtMs: nowMs, startedAtMs: [nowMs], reason };
  }
  // Cycles come with some jitter; half an interval is the next cycle.
  const due = nowMs - lane.movedAtMs >= (autoscaler.intervalSeconds * 1_000) / 2;
  const more = due && lane.startedAtMs.length < rungs;
  return {
    ...lane,
    reason,
    pressedAtMs: nowMs,
    movedAtMs: more ? nowMs : lane.movedAtMs,
    startedAtMs: more ? [...lane.startedAtMs, nowMs] : lane.startedAtMs,
  };
}

function reverted(
  lane: LaneState,
  { mitigations }: PlatformConfiguration,
  nowMs: number,
): LaneState | undefined {
  const quietMs = nowMs - Math.max(lane.pressedAtMs, lane.movedAtMs);
  if (quietMs < mitigations.revertStepSeconds * 1_000) return lane;
  const left = lane.startedAtMs.slice(0, -1);
  return left.length === 0 ? undefined : { ...lane, movedAtMs: nowMs, startedAtMs: left };
}
