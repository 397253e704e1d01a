import type { PlatformConfiguration } from '@matsuri/contract';
import type { HistoryPoint } from './state';
import type { Measured } from './telemetry';

/** With fewer of the arrivals started, how long a call takes would be guessed from noise. */
const LEAST_STARTED_SHARE = 0.4;

/**
 * Slots that would be in use had nobody waited, by Little's law: arrivals times the time a call holds its slot.
 *
 * A queue is no number of slots. Short calls pile up thirty deep before a slot more would have been needed, long
 * ones need a slot each; taking every waiting request for a slot buys many times the need of a burst of short
 * calls. So the queue's growth is counted as arrivals, and the queue itself as work to be done within a cycle, less
 * what the tasks that are starting already will take.
 */
export function offeredSlots(
  measured: Measured,
  before: HistoryPoint | undefined,
  configuration: PlatformConfiguration,
): number | undefined {
  const { atMs = 0, inFlight, waiting, arrivalsPerSecond } = measured;
  if (inFlight === undefined || waiting === undefined) return undefined;
  const { intervalSeconds } = configuration.autoscaler;
  const sinceSeconds =
    before === undefined ? intervalSeconds : Math.max(1, (atMs - before.atMs) / 1_000);
  const grownPerSecond = (waiting - (before?.waiting ?? 0)) / sinceSeconds;
  const startsPerSecond = (arrivalsPerSecond ?? 0) - grownPerSecond;
  // Nobody counts arrivals, or too few of them got a slot: how long a call takes is unknown.
  const known = arrivalsPerSecond ?? Infinity;
  const told = inFlight > 0 && startsPerSecond > known * LEAST_STARTED_SHARE;
  if (!told) return inFlight + waiting;
  const secondsPerCall = inFlight / startsPerSecond;
  const left = Math.max(0, waiting - startingSlots(measured, configuration));
  return inFlight + secondsPerCall * (Math.max(0, grownPerSecond) + left / intervalSeconds);
}

function startingSlots({ tasks }: Measured, { gateway }: PlatformConfiguration): number {
  if (tasks === undefined) return 0;
  return Math.max(0, tasks.desired - tasks.running) * gateway.slotsPerTask;
}
