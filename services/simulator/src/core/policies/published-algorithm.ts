import type { Fleet } from '../platform/fleet';
import type { Scene } from '../platform/scene';
import type { Policy } from '../platform/simulate';

const INTERVAL_SECONDS = 10;
const REGRESSION_POINTS = 30;
const POINTS_NEEDED = 6;
const AHEAD_SECONDS = 300;
const COOLDOWN_SECONDS = 60;

const OUT_AT = 0.8;
const OUT_PREDICTED_AT = 0.95;
const OUT_WAITING = 50;
const OUT_LATENCY_SECONDS = 4;
const OUT_TASKS = 2;

const IN_BELOW = 0.4;
const IN_WAITING = 10;
const IN_LATENCY_SECONDS = 2;
const IN_SHARE = 0.1;

const EMERGENCY_WAITING = 200;
const EMERGENCY_TASKS = 10;

/**
 * The scaler this platform's own was derived from, unchanged, to show what the changes buy: increments
 * per cycle, a cooldown for scaling in only, an unclamped straight line five minutes ahead.
 *
 * It thinks in tokens per second of a task. Here a task whose slots are all taken streams what a task can,
 * so load is counted in tasks full of requests, and its provisioned capacity is the running tasks'.
 */
export function publishedAlgorithm({ workload, metricDelaySeconds }: Scene): Policy {
  const loads: number[] = [];
  let lastActionAt = Number.NEGATIVE_INFINITY;
  return {
    act: (now, history, fleet) => {
      if (now % INTERVAL_SECONDS !== 0) return;
      const seen = now - metricDelaySeconds;
      loads.push(history.mean('inFlight', seen, INTERVAL_SECONDS) / workload.slotsPerTask);
      if (loads.length > REGRESSION_POINTS) loads.shift();
      const wanted = evaluate(fleet, {
        load: loads.at(-1) ?? 0,
        predicted: straightLine(loads),
        waiting: history.mean('waiting', seen, 1),
        latencySeconds: history.mean('longestWaitSeconds', seen, 1),
        cooling: now - lastActionAt < COOLDOWN_SECONDS,
      });
      if (wanted === undefined) return;
      lastActionAt = now;
      fleet.order(now, wanted);
    },
  };
}

interface Look {
  /** In full tasks. */
  readonly load: number;
  readonly predicted: number;
  readonly waiting: number;
  readonly latencySeconds: number;
  readonly cooling: boolean;
}

function evaluate({ running }: Fleet, look: Look): number | undefined {
  if (look.waiting >= EMERGENCY_WAITING) return running + EMERGENCY_TASKS;
  if (wantsMore(running, look)) {
    return Math.max(running + OUT_TASKS, Math.floor(look.predicted) + 1);
  }
  if (wantsFewer(running, look)) return running - Math.max(1, Math.floor(running * IN_SHARE));
  return undefined;
}

function wantsMore(running: number, look: Look): boolean {
  return (
    look.load / running > OUT_AT ||
    look.predicted / running > OUT_PREDICTED_AT ||
    look.waiting > OUT_WAITING ||
    look.latencySeconds > OUT_LATENCY_SECONDS
  );
}

function wantsFewer(running: number, look: Look): boolean {
  return (
    look.load / running < IN_BELOW &&
    look.waiting < IN_WAITING &&
    look.latencySeconds < IN_LATENCY_SECONDS &&
    !look.cooling
  );
}

/** Least squares through the points, read five minutes after the last. */
function straightLine(points: readonly number[]): number {
  const count = points.length;
  if (count < POINTS_NEEDED) return points.at(-1) ?? 0;
  const meanAt = (count - 1) / 2;
  const mean = points.reduce((sum, it) => sum + it, 0) / count;
  const moment = points.reduce((sum, it, at) => sum + (at - meanAt) * (it - mean), 0);
  const slope = moment / points.reduce((sum, _, at) => sum + (at - meanAt) ** 2, 0);
  return Math.max(0, mean + slope * (count - 1 - meanAt + AHEAD_SECONDS / INTERVAL_SECONDS));
}
