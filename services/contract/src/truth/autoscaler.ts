import { METRIC_PERIOD_SECONDS } from '../metrics/metric';
import type { PlatformConfiguration } from '../configuration/platform';
import { error, type Contradiction } from './contradiction';

/** Cycles that may fail before a lease or a raised floor runs out. */
const TOLERATED_CYCLES = 3;

type Autoscaler = PlatformConfiguration['autoscaler'];

/** The loop remembers as much as it regresses over, keeps what it holds, and does not chase itself. */
export function autoscaler({
  autoscaler: figures,
}: PlatformConfiguration): readonly Contradiction[] {
  return [
    ...memory(figures),
    ...enoughPoints(figures),
    ...renewals(figures),
    ...thresholdsApart(figures),
  ];
}

function memory({ regressionSeconds, historySeconds }: Autoscaler): Contradiction[] {
  if (regressionSeconds <= historySeconds) return [];
  return [
    error(
      'regression-over-history',
      `The autoscaler regresses over ${regressionSeconds} s but keeps ${historySeconds} s of history.`,
      `Set autoscaler.historySeconds to at least ${regressionSeconds}.`,
    ),
  ];
}

function enoughPoints({
  regressionSeconds,
  intervalSeconds,
  minimumPoints,
}: Autoscaler): Contradiction[] {
  const spacing = Math.max(intervalSeconds, METRIC_PERIOD_SECONDS);
  const points = Math.floor(regressionSeconds / spacing);
  if (points >= minimumPoints) return [];
  return [
    error(
      'regression-without-points',
      `${regressionSeconds} s at one reading per ${spacing} s are ${points} points, fewer than the ${minimumPoints} a ` +
        'prediction asks for: it never predicts.',
      `Raise autoscaler.regressionSeconds to ${minimumPoints * spacing}, or lower autoscaler.minimumPoints.`,
    ),
  ];
}

function renewals(figures: Autoscaler): Contradiction[] {
  const shortest = figures.intervalSeconds * TOLERATED_CYCLES;
  return (['leaseSeconds', 'floorExpirySeconds', 'staleAfterSeconds'] as const)
    .filter((key) => figures[key] < shortest)
    .map((key) =>
      error(
        'autoscaler-expires-early',
        `autoscaler.${key} is ${figures[key]} s with a cycle of ${figures.intervalSeconds} s: one or two slow cycles and ` +
          'what it holds runs out.',
        `Set autoscaler.${key} to at least ${shortest}.`,
      ),
    );
}

function thresholdsApart({ scaleIn, scaleOut, emergency }: Autoscaler): Contradiction[] {
  const pairs = [
    ['utilisationPercent', scaleIn.utilisationPercent, scaleOut.utilisationPercent],
    ['queueDepth', scaleIn.queueDepth, scaleOut.queueDepth],
    ['latencyP99Ms', scaleIn.latencyP99Ms, scaleOut.latencyP99Ms],
    ['queueDepth of emergency', scaleOut.queueDepth, emergency.queueDepth],
    ['preemptivePercent', scaleOut.preemptivePercent, scaleOut.predictedPercent],
  ] as const;
  return pairs
    .filter(([, lower, upper]) => lower >= upper)
    .map(([name, lower, upper]) =>
      error(
        'autoscaler-thresholds',
        `autoscaler: the lower threshold for ${name} (${lower}) is not below the upper one (${upper}): it would act both ` +
          'ways on the same reading.',
        `Set the lower ${name} well below ${upper}.`,
      ),
    );
}
