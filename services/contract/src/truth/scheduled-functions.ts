import type { PlatformConfiguration } from '../configuration/platform';
import { FUNCTIONS } from '../names/programs';
import { error, type Contradiction } from './contradiction';

const SCHEDULED = ['maintenance', 'poolManager'] as const;

/** A function started by a clock ends before the next start, and before Lambda ends it. */
export function scheduledFunctions(configuration: PlatformConfiguration): readonly Contradiction[] {
  return SCHEDULED.flatMap((key) => {
    const { runSeconds, periodSeconds, timeoutSeconds } = configuration.functions[key];
    const limit = Math.min(periodSeconds, timeoutSeconds);
    if (runSeconds < limit) return [];
    return [
      error(
        'function-overruns-period',
        `${FUNCTIONS[key]} may work for ${runSeconds} s, is started every ${periodSeconds} s and killed after ` +
          `${timeoutSeconds} s: runs overlap or end half-done.`,
        `Set functions.${key}.runSeconds below ${limit}.`,
      ),
    ];
  });
}

/** A run that may overlap itself launches or ends workers twice. */
export function singleFlight(configuration: PlatformConfiguration): readonly Contradiction[] {
  return SCHEDULED.filter((key) => configuration.functions[key].reservedConcurrency !== 1).map(
    (key) =>
      error(
        'function-not-single-flight',
        `${FUNCTIONS[key]} may run ${configuration.functions[key].reservedConcurrency} times at once: two runs see the same ` +
          'shortage and both fill it.',
        `Set functions.${key}.reservedConcurrency to 1.`,
      ),
  );
}
