import {
  CHAT_ALIASES,
  demandAt,
  eventsInForceAt,
  ordinaryDemandAt,
  type ChatAlias,
  type Demand,
  type PlatformConfiguration,
} from '@matsuri/contract';
import { surgeAfter } from './release-surge';
import { serviceSeconds, type RequestSize } from './request-sizes';

/** What is asked of one model alias at an instant. */
interface AliasTraffic {
  readonly requestsPerSecond: number;
  readonly meanSize: RequestSize;
}

export type Traffic = Readonly<Record<ChatAlias, AliasTraffic>>;

const HOUR_MS = 3_600_000;
const HALF_HOUR_MS = HOUR_MS / 2;

/**
 * The traffic that configuration and calendar let expect at an instant: the hours of the day with smooth ways
 * between them, sales as announced, and a release that rushes in within its first minute.
 */
export function expectedTrafficAt(configuration: PlatformConfiguration, atMs: number): Traffic {
  const { calendar } = configuration;
  const withoutReleases = { ...configuration, calendar: { ...calendar, weekly: [] } };
  const smoothing = smoothingAt(configuration, atMs);
  const calm = trafficOf(demandAt(withoutReleases, atMs), configuration, smoothing);
  const surge = surgeAt(configuration, atMs);
  if (surge === 0) return calm;
  const rush = trafficOf(demandAt(configuration, atMs), configuration, smoothing);
  return {
    complex: between(calm.complex, rush.complex, surge),
    simple: between(calm.simple, rush.simple, surge),
  };
}

/** Slots in use if nobody waited. */
export function slotsFor(traffic: Traffic): number {
  return CHAT_ALIASES.reduce(
    (sum, alias) =>
      sum + traffic[alias].requestsPerSecond * serviceSeconds(traffic[alias].meanSize),
    0,
  );
}

function surgeAt({ calendar, traffic }: PlatformConfiguration, atMs: number): number {
  const releases = eventsInForceAt({ ...calendar, events: [] }, atMs).filter(
    ({ startMs }) => startMs <= atMs,
  );
  return Math.max(0, ...releases.map((it) => surgeAfter((atMs - it.startMs) / 1_000, traffic)));
}

/** The mean over the hour around an instant, against the hour it lies in: straight lines between mid-hours. */
function smoothingAt(configuration: PlatformConfiguration, atMs: number): number {
  const ordinary = (ms: number) => ordinaryDemandAt(configuration, ms).messagesPerMinute;
  const later = ((atMs + HALF_HOUR_MS) % HOUR_MS) / HOUR_MS;
  const around =
    (1 - later) * ordinary(atMs - HALF_HOUR_MS) + later * ordinary(atMs + HALF_HOUR_MS);
  const here = ordinary(atMs);
  return here === 0 ? 1 : around / here;
}

function trafficOf(
  { byAlias }: Demand,
  { traffic }: PlatformConfiguration,
  smoothing: number,
): Traffic {
  const of = (alias: ChatAlias): AliasTraffic => {
    const { requestsPerMinute, tokensPerSecond } = byAlias[alias];
    const input = traffic.averageInputTokens[alias];
    const output = traffic.averageOutputTokens[alias];
    const tokens = requestsPerMinute === 0 ? 0 : (tokensPerSecond * 60) / requestsPerMinute;
    return {
      requestsPerSecond: (requestsPerMinute / 60) * smoothing,
      meanSize: {
        inputTokens: (tokens * input) / (input + output),
        outputTokens: (tokens * output) / (input + output),
      },
    };
  };
  return { complex: of('complex'), simple: of('simple') };
}

function between(calm: AliasTraffic, rush: AliasTraffic, surge: number): AliasTraffic {
  const blend = (from: number, to: number) => from + (to - from) * surge;
  return {
    requestsPerSecond: blend(calm.requestsPerSecond, rush.requestsPerSecond),
    meanSize: {
      inputTokens: blend(calm.meanSize.inputTokens, rush.meanSize.inputTokens),
      outputTokens: blend(calm.meanSize.outputTokens, rush.meanSize.outputTokens),
    },
  };
}
