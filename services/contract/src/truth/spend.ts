import { isTimeZone } from '../calendar/instants';
import { calendarPeaks, ordinaryPeaks, type Peak } from '../calendar/peaks';
import type { PlatformConfiguration } from '../configuration/platform';
import { error, figure, warning, type Contradiction } from './contradiction';

/** The spend ceiling stops runaways, not the traffic the platform was built for. */
export function spendCeiling(
  configuration: PlatformConfiguration,
  nowMs: number,
): readonly Contradiction[] {
  if (!isTimeZone(configuration.calendar.timeZone)) return [];
  const ceiling = configuration.spend.maxModelDollarsPerHour;
  const ordinary = dollarsPerHour(ordinaryPeaks(configuration, nowMs));
  const highest = dollarsPerHour(calendarPeaks(configuration, nowMs));
  const fix = `Raise spend.maxModelDollarsPerHour to at least ${figure(Math.ceil(highest))}.`;

  if (ordinary > ceiling) {
    return [
      error(
        'spend-below-ordinary-peak',
        `Models cost $${figure(ordinary)} an hour at the peak of an ordinary week, the ceiling is $${figure(ceiling)}: ` +
          'answers stop every evening.',
        fix,
      ),
    ];
  }
  if (highest <= ceiling) return [];
  return [
    warning(
      'spend-below-event-peak',
      `Models will cost up to $${figure(highest)} an hour at the calendar's peak, the ceiling is $${figure(ceiling)}: ` +
        'answers stop in the middle of the event.',
      fix,
    ),
  ];
}

function dollarsPerHour(peaks: readonly Peak[]): number {
  return Math.round(peaks.reduce((sum, peak) => sum + peak.demand.dollarsPerHour, 0));
}
