import type { SCALING_SIGNALS } from '@matsuri/contract';
import type { History } from '../platform/history';

export type ScalingSignal = (typeof SCALING_SIGNALS)[number];

/**
 * An I/O-bound service that is offered what its slots can hold. The processor works when a request comes in;
 * whether that request then waits for a slot or for the model is nothing to it.
 */
const CPU_PERCENT_WHEN_FULL = 30;
/** What a request costs in time beside waiting for a slot and for the model. */
const OVERHEAD_MS = 300;

/**
 * Chat comes over WebSockets, and the load balancer counts a connection once, when it is made. So many messages
 * go over one.
 */
export const MESSAGES_PER_CONNECTION = 10;

/** How big the model's task is, and how big the task that thresholds were written for. */
export interface TaskSize {
  readonly slotsPerTask: number;
  readonly configuredSlotsPerTask: number;
  /** How long a request of this traffic holds a slot. */
  readonly meanBusySeconds: number;
}

/**
 * What a metric shows for the `seconds` that ended before `end`; undefined where the model has no such thing.
 * Counts per task are those of a task as configured, whose share of slots in use is the same.
 *
 * Latency is the wait and the overhead: no number of tasks changes how long a model talks.
 */
export function readSignal(
  signal: ScalingSignal,
  history: History,
  end: number,
  seconds: number,
  size: TaskSize,
): number | undefined {
  const tasks = Math.max(1, history.mean('running', end, seconds));
  const scale = size.configuredSlotsPerTask / size.slotsPerTask;
  switch (signal) {
    case 'cpuPercent': {
      const offered = history.mean('arrivals', end, seconds) * size.meanBusySeconds;
      return Math.min(100, (CPU_PERCENT_WHEN_FULL * offered) / (tasks * size.slotsPerTask));
    }
    case 'requestsPerTargetPerMinute':
      return (
        (history.mean('arrivals', end, seconds) * 60 * scale) / tasks / MESSAGES_PER_CONNECTION
      );
    case 'bedrockQueueDepthMaximum':
      return (history.maximum('waiting', end, seconds) * scale) / tasks;
    case 'activeInvocationsPerTask':
      return (history.mean('inFlight', end, seconds) * scale) / tasks;
    case 'requestLatencyP99MaximumMs':
      return OVERHEAD_MS + history.maximum('longestWaitSeconds', end, seconds) * 1_000;
    case 'normalisedWebSocketConnections':
      return undefined;
  }
}
