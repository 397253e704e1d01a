import type { PlatformConfiguration } from '@matsuri/contract';
import type { Workload } from '../traffic/workload';

/**
 * How many tokens a task of a workload reports for each one it streams. A task of the model is as large as makes the
 * mean demand twenty of them; to a scaler it looks like one as configured, full when that is full.
 */
export function tokenScale(
  { autoscaler }: PlatformConfiguration,
  { sizes, slotsPerTask, scoredRequests, idealTaskSeconds }: Workload,
): number {
  const { inputTokens, outputTokens } = sizes.meanSize;
  const busySeconds = (idealTaskSeconds * slotsPerTask) / scoredRequests;
  const streamedByFullTask = (slotsPerTask * (inputTokens + outputTokens)) / busySeconds;
  return autoscaler.tokensPerSecondPerTask / streamedByFullTask;
}
