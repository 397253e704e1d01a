import type { PlatformConfiguration } from '../configuration/platform';
import { CHAT_ALIASES, type ChatAlias } from '../models/model-schema';
import { demandAmong, ordinaryDemandAt, type AliasDemand, type Demand } from './demand';
import { instantOf } from './instants';
import { occurrencesBetween } from './occurrences';

const HOUR_MS = 3_600_000;
const WEEK_HOURS = 7 * 24;

/** The fullest hour of an alias, and when it comes. */
export interface Peak {
  readonly alias: ChatAlias;
  readonly atMs: number;
  readonly events: readonly string[];
  readonly demand: AliasDemand;
}

/** The fullest hour of an ordinary week, per alias. */
export function ordinaryPeaks(
  configuration: PlatformConfiguration,
  nowMs: number,
): readonly Peak[] {
  return peaks(hoursFrom(nowMs, WEEK_HOURS), (atMs) => ordinaryDemandAt(configuration, atMs));
}

/** The fullest hour of what the calendar still holds, weekly events included, per alias. */
export function calendarPeaks(
  configuration: PlatformConfiguration,
  nowMs: number,
): readonly Peak[] {
  const hours = [...hoursFrom(nowMs, WEEK_HOURS), ...hoursOfComingEvents(configuration, nowMs)];
  const until = hours.reduce((latest, hour) => Math.max(latest, hour), nowMs);
  const occurrences = occurrencesBetween(configuration.calendar, nowMs - HOUR_MS, until + HOUR_MS);
  return peaks(hours, (atMs) => demandAmong(configuration, occurrences, atMs));
}

function peaks(hours: readonly number[], at: (atMs: number) => Demand): readonly Peak[] {
  const readings = hours.map((atMs) => ({ atMs, demand: at(atMs) }));
  return CHAT_ALIASES.flatMap((alias) => {
    const candidates = readings.map((it) => ({
      alias,
      atMs: it.atMs,
      events: it.demand.events,
      demand: it.demand.byAlias[alias],
    }));
    return candidates.reduce<Peak[]>(keepHighest, []);
  });
}

function keepHighest(best: Peak[], candidate: Peak): Peak[] {
  const [current] = best;
  const higher =
    current === undefined || candidate.demand.tokensPerMinute > current.demand.tokensPerMinute;
  return higher ? [candidate] : best;
}

function hoursOfComingEvents(configuration: PlatformConfiguration, nowMs: number): number[] {
  return configuration.calendar.events.flatMap((event) => {
    const startMs = instantOf(event.start);
    const endMs = instantOf(event.end);
    if (startMs === undefined || endMs === undefined || endMs <= nowMs) return [];
    const fromMs = Math.max(startMs, nowMs);
    return hoursFrom(fromMs, Math.ceil((endMs - fromMs) / HOUR_MS));
  });
}

function hoursFrom(startMs: number, count: number): number[] {
  const first = Math.floor(startMs / HOUR_MS) * HOUR_MS;
  return Array.from({ length: Math.max(0, count) }, (_, hour) => first + hour * HOUR_MS);
}
