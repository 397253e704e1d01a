import type { PlatformConfiguration } from '../configuration/platform';
import type { SCALING_SIGNALS } from '../scaling/profile';
import { error, figure, type Contradiction } from './contradiction';

type Signal = (typeof SCALING_SIGNALS)[number];

interface Ceiling {
  readonly highest: number;
  readonly because: string;
  readonly fix: string;
}

interface Threshold {
  readonly where: string;
  readonly signal: Signal;
  readonly value: number;
}

/** A reading that cannot be reached never scales anything. */
export function unreachableThresholds(
  configuration: PlatformConfiguration,
): readonly Contradiction[] {
  return thresholds(configuration).flatMap((threshold) => {
    const ceiling = ceilingOf(configuration, threshold.signal);
    if (ceiling === undefined || threshold.value < ceiling.highest) return [];
    return [
      error(
        'threshold-unreachable',
        `${threshold.where} waits for ${threshold.signal} of ${figure(threshold.value)}, but it cannot pass ` +
          `${figure(ceiling.highest)} (${ceiling.because}): the policy never fires.`,
        `Lower ${threshold.where} below ${figure(ceiling.highest)}, or ${ceiling.fix}.`,
      ),
    ];
  });
}

function thresholds({ scaling }: PlatformConfiguration): readonly Threshold[] {
  return [
    ...scaling.targetTracking.map((policy) => ({
      where: `the target of '${policy.name}'`,
      signal: policy.signal,
      value: policy.target,
    })),
    ...scaling.steps.map((policy) => ({
      where: `the scale-out threshold of '${policy.name}'`,
      signal: policy.signal,
      value: policy.scaleOut.threshold,
    })),
  ];
}

/** The highest reading a signal can have; undefined where nothing bounds it. */
function ceilingOf(configuration: PlatformConfiguration, signal: Signal): Ceiling | undefined {
  const { gateway, orchestrator } = configuration;
  switch (signal) {
    case 'cpuPercent':
      return { highest: 100, because: 'a percentage', fix: 'choose another signal' };
    case 'activeInvocationsPerTask':
      return {
        highest: gateway.slotsPerTask,
        because: `gateway.slotsPerTask is ${gateway.slotsPerTask}`,
        fix: 'raise gateway.slotsPerTask',
      };
    case 'normalisedWebSocketConnections':
      return {
        highest: orchestrator.sizedForTasks * orchestrator.sessionsPerTask,
        because: `${orchestrator.sizedForTasks} tasks hold ${orchestrator.sessionsPerTask} sessions each`,
        fix: 'raise orchestrator.sessionsPerTask',
      };
    // Whoever is turned away is part of the queue until they come back.
    case 'bedrockQueueDepthMaximum':
    case 'requestsPerTargetPerMinute':
    case 'requestLatencyP99MaximumMs':
      return undefined;
  }
}
