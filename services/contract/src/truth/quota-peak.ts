import { calendarPeaks, ordinaryPeaks, type Peak } from '../calendar/peaks';
import { isTimeZone } from '../calendar/instants';
import { wallClock } from '../calendar/wall-clock';
import type { PlatformConfiguration } from '../configuration/platform';
import { error, figure, warning, type Contradiction } from './contradiction';

/** Account quotas against the fullest hours to come, less what the cache is expected to answer. */
export function quotaPeak(
  configuration: PlatformConfiguration,
  nowMs: number,
): readonly Contradiction[] {
  if (!isTimeZone(configuration.calendar.timeZone)) return [];
  return [
    ...ordinaryPeaks(configuration, nowMs).flatMap((peak) =>
      ordinaryShortfall(configuration, peak),
    ),
    ...calendarPeaks(configuration, nowMs).flatMap((peak) => eventShortfall(configuration, peak)),
  ];
}

function ordinaryShortfall(configuration: PlatformConfiguration, peak: Peak): Contradiction[] {
  if (fits(configuration, peak)) return [];
  return [
    error(
      'quota-below-ordinary-peak',
      `${described(configuration, peak)}: every evening ends in throttling.`,
      `Ask AWS for higher quotas and write them into quotas, add targets to models.aliases.${peak.alias}, or correct ` +
        'traffic if the demand is overestimated.',
    ),
  ];
}

function eventShortfall(configuration: PlatformConfiguration, peak: Peak): Contradiction[] {
  if (peak.events.length === 0 || fits(configuration, peak)) return [];
  return [
    warning(
      'quota-below-event-peak',
      `${described(configuration, peak)}: the rest is throttled and answered by mitigations.`,
      'Ask AWS for higher quotas before then and write them into quotas, or turn provisioned throughput on.',
    ),
  ];
}

function fits(configuration: PlatformConfiguration, { alias, demand }: Peak): boolean {
  const quota = totalQuota(configuration, alias);
  return (
    demand.requestsPerMinute <= quota.requestsPerMinute &&
    demand.tokensPerMinute <= quota.tokensPerMinute
  );
}

function described(configuration: PlatformConfiguration, peak: Peak): string {
  const quota = totalQuota(configuration, peak.alias);
  const targets = configuration.models.aliases[peak.alias].length;
  const because = peak.events.length === 0 ? 'an ordinary week' : peak.events.join(', ');
  return (
    `'${peak.alias}' is asked for ${figure(Math.round(peak.demand.requestsPerMinute))} requests/min and ` +
    `${figure(Math.round(peak.demand.tokensPerMinute))} tokens/min at ${moment(configuration, peak.atMs)} (${because}) ` +
    `after ${configuration.traffic.expectedCacheHitPercent} % cache hits, but the quotas of its ${targets} targets add ` +
    `up to ${figure(quota.requestsPerMinute)} and ${figure(quota.tokensPerMinute)}`
  );
}

function totalQuota(
  { models, quotas }: PlatformConfiguration,
  alias: Peak['alias'],
): { readonly requestsPerMinute: number; readonly tokensPerMinute: number } {
  const own = quotas.filter((quota) =>
    models.aliases[alias].some(
      (target) => target.profile === quota.profile && target.region === quota.region,
    ),
  );
  return {
    requestsPerMinute: own.reduce((sum, quota) => sum + quota.requestsPerMinute, 0),
    tokensPerMinute: own.reduce((sum, quota) => sum + quota.tokensPerMinute, 0),
  };
}

function moment({ calendar }: PlatformConfiguration, atMs: number): string {
  const clock = wallClock(atMs, calendar.timeZone);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${clock.year}-${two(clock.month)}-${two(clock.day)} ${two(clock.hour)}:00 ${calendar.timeZone}`;
}
