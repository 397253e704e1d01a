import type { PlatformConfiguration } from '@matsuri/contract';
import type { Forecast } from '../forecast';
import { tasksFor } from '../load';
import type { Floor } from '../plan';
import { count, figure } from '../wording';

/** What the load of the near future asks for. */
export function predictedFloor(
  forecast: Forecast | undefined,
  configuration: PlatformConfiguration,
): Floor | undefined {
  if (forecast === undefined) return undefined;
  const { predictedPercent } = configuration.autoscaler.scaleOut;
  const tasks = tasksFor(forecast.load, configuration, predictedPercent / 100);
  return {
    kind: 'predicted',
    tasks,
    reason:
      `${figure(forecast.load.tokensPerSecond)} tokens/s and ${figure(forecast.load.busySlots)} busy slots expected in ` +
      `${figure(forecast.aheadSeconds)} s need ${count(tasks, 'task')} at ${predictedPercent} % full`,
  };
}
