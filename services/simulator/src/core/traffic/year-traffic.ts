import {
  demandAt,
  occurrencesBetween,
  ordinaryDemandAt,
  type AliasDemand,
  type ChatAlias,
  type Demand,
  type Occurrence,
  type PlatformConfiguration,
} from '@matsuri/contract';
import { NO_DEMAND, scaledDemand, summedDemand, type ModelDemand } from '../models/model-demand';
import { surgeAfter } from './release-surge';

const HOUR_MS = 3_600_000;
const WEEK_HOURS = 7 * 24;

/** What is asked at an instant, and the largest event that runs then. */
export interface Asked {
  readonly byAlias: ModelDemand;
  readonly event: Occurrence | undefined;
}

export interface YearTraffic {
  readonly at: (atMs: number) => Asked;
  /** Events whose run or lead touches the time, in the order of their start. */
  readonly occurrences: readonly Occurrence[];
}

/**
 * What configuration and calendar let expect over a long time. Hours and events are looked up once, so that a year
 * of instants costs seconds; between mid-hours demand goes straight, a release rushes in within its first minute.
 */
export function yearTraffic(
  configuration: PlatformConfiguration,
  fromMs: number,
  toMs: number,
): YearTraffic {
  const messagesAt = ordinaryMessages(configuration, fromMs, toMs);
  const occurrences = [...occurrencesBetween(configuration.calendar, fromMs, toMs)].sort(
    (a, b) => a.startMs - b.startMs,
  );
  const calm = perMessage(configuration, []);
  const releases = configuration.calendar.weekly;
  const rush = releases.length === 0 ? calm : perMessage(configuration, releases);
  const running = runningEvents(occurrences);

  return {
    occurrences,
    at: (atMs) => {
      const events = running(atMs);
      const messages = messagesAt(atMs);
      const sales = messages * most(events.filter((it) => !isRelease(it)));
      const rushing = events.filter(isRelease);
      const surge = rushing.reduce(
        (highest, it) =>
          Math.max(highest, surgeAfter((atMs - it.startMs) / 1_000, configuration.traffic)),
        0,
      );
      const rushed = Math.max(sales, messages * most(rushing));
      const of = (alias: ChatAlias) =>
        blended(scaledDemand(calm[alias], sales), scaledDemand(rush[alias], rushed), surge);
      return { byAlias: { complex: of('complex'), simple: of('simple') }, event: largest(events) };
    },
  };
}

function isRelease({ event }: Occurrence): boolean {
  return 'weekday' in event;
}

function most(events: readonly Occurrence[]): number {
  return events.reduce((highest, it) => Math.max(highest, it.event.multiplier), 1);
}

function largest(events: readonly Occurrence[]): Occurrence | undefined {
  return events.reduce<Occurrence | undefined>(
    (best, it) => (best === undefined || it.event.multiplier > best.event.multiplier ? it : best),
    undefined,
  );
}

/** Messages a minute of an ordinary week at any instant. */
function ordinaryMessages(
  configuration: PlatformConfiguration,
  fromMs: number,
  toMs: number,
): (atMs: number) => number {
  const firstMs = Math.floor(fromMs / HOUR_MS) * HOUR_MS - HOUR_MS;
  const hours = Math.ceil((toMs - firstMs) / HOUR_MS) + 2;
  const hourly = Float64Array.from(
    { length: hours },
    (_, hour) => ordinaryDemandAt(configuration, firstMs + hour * HOUR_MS).messagesPerMinute,
  );
  return (atMs) => {
    const position = (atMs - firstMs) / HOUR_MS - 0.5;
    const hour = Math.floor(position);
    const later = position - hour;
    return (hourly[hour] ?? 0) * (1 - later) + (hourly[hour + 1] ?? 0) * later;
  };
}

/** Demand is proportional to messages; this is what one a minute asks for while these events run. */
function perMessage(
  configuration: PlatformConfiguration,
  weekly: PlatformConfiguration['calendar']['weekly'],
): ModelDemand {
  const only = {
    ...configuration,
    calendar: { ...configuration.calendar, events: [], weekly: [...weekly] },
  };
  const readings = Array.from({ length: WEEK_HOURS }, (_, hour) => demandAt(only, hour * HOUR_MS));
  const wanted = weekly.length === 0 ? readings : readings.filter((it) => it.events.length > 0);
  const fullest = wanted.reduce<Demand | undefined>(
    (best, it) => (it.messagesPerMinute > (best?.messagesPerMinute ?? 0) ? it : best),
    undefined,
  );
  const share = fullest === undefined ? 0 : 1 / fullest.messagesPerMinute;
  const { complex = NO_DEMAND, simple = NO_DEMAND } = fullest?.byAlias ?? {};
  return { complex: scaledDemand(complex, share), simple: scaledDemand(simple, share) };
}

/** Instants are asked for in order, so the next start and end are looked for from where the last were found. */
function runningEvents(
  occurrences: readonly Occurrence[],
): (atMs: number) => readonly Occurrence[] {
  let next = 0;
  let running: readonly Occurrence[] = [];
  return (atMs) => {
    for (let it = occurrences[next]; it !== undefined && it.startMs <= atMs;) {
      running = [...running, it];
      next += 1;
      it = occurrences[next];
    }
    if (running.some((it) => it.endMs <= atMs)) running = running.filter((it) => it.endMs > atMs);
    return running;
  };
}

function blended(calm: AliasDemand, rush: AliasDemand, share: number): AliasDemand {
  if (share === 0) return calm;
  return summedDemand(scaledDemand(calm, 1 - share), scaledDemand(rush, share));
}
