import type { PlatformConfiguration } from '@matsuri/contract';
import type { HistoryPoint } from './state';
import type { Measured } from './telemetry';

/** What has piled up shall be gone before the next cycle but one sees it. */
const BACKLOG_SECONDS = 7;

/**
 * Slots that would be in use had nobody waited, by Little's law: arrivals times the time a call holds its slot.
 *
 * A queue is no number of slots. Short calls pile up thirty deep before a slot more would have been needed, long
 * ones need a slot each; taking every waiting request for a slot buys many times the need of a burst of short
 * calls. So the queue's growth is counted as arrivals, and the queue itself as work to be done within seconds, less
 * what the tasks that are starting already will take.
 */
export function offeredSlots(
  measured: Measured,
  before: HistoryPoint | undefined,
  configuration: PlatformConfiguration,
): number | undefined {
  const { atMs = 0, inFlight, waiting, startsPerSecond = 0 } = measured;
  if (inFlight === undefined || waiting === undefined) return undefined;
  // Nobody starts, or nobody counts starts: how long a call takes is unknown.
  if (startsPerSecond === 0) return inFlight + waiting;
  const secondsPerCall = inFlight / startsPerSecond;
  const sinceSeconds =
    before === undefined
      ? configuration.autoscaler.intervalSeconds
      : Math.max(1, (atMs - before.atMs) / 1_000);
  const grownPerSecond = Math.max(0, waiting - (before?.waiting ?? 0)) / sinceSeconds;
  const left = Math.max(0, waiting - startingSlots(measured, configuration));
  return inFlight + secondsPerCall * (grownPerSecond + left / BACKLOG_SECONDS);
}

function startingSlots({ tasks }: Measured, { gateway }: PlatformConfiguration): number {
  if (tasks === undefined) return 0;
  return Math.max(0, tasks.desired - tasks.running) * gateway.slotsPerTask;
}
