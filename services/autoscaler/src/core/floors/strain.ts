import type { Cycle } from '../cycle';
import { figure } from '../wording';

/** The first sign that users feel the load, in words; undefined while nobody does. */
export function strainOf({ measured, snapshot, configuration, nowMs }: Cycle): string | undefined {
  const { scaleOut, earlySignals, staleAfterSeconds } = configuration.autoscaler;
  const { queueDepth = 0, latencyP99Ms = 0, waiting = 0, models } = measured;
  if (queueDepth > scaleOut.queueDepth) return `a queue of ${figure(queueDepth)} waits`;

  // Slow answers alone may be long answers; they are the tasks' doing only where somebody waits for one.
  const complexP99Ms = models.complex.latencyP99Ms ?? 0;
  if (waiting > 0 && latencyP99Ms > scaleOut.latencyP99Ms) {
    return `p99 is ${figure(latencyP99Ms)} ms while requests wait`;
  }
  if (waiting > 0 && complexP99Ms > earlySignals.complexLatencyP99Ms) {
    return `the complex model's p99 is ${figure(complexP99Ms)} ms and a queue follows`;
  }
  const signal = snapshot.preScaleSignals?.find(
    (it) => Math.abs(nowMs - it.atMs) <= staleAfterSeconds * 1_000,
  );
  if (signal === undefined) return undefined;
  return `pool '${signal.pool}' of a task is ${figure(signal.utilisationPercent)} % full`;
}
