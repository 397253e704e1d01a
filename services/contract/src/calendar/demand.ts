import type { PlatformConfiguration } from '../configuration/platform';
import { CHAT_ALIASES, type ChatAlias } from '../models/model-schema';
import { modelOfProfile } from '../models/pricing';
import { eventsInForceAt } from './floors';
import type { Occurrence } from './occurrences';
import { wallClock } from './wall-clock';

type Traffic = PlatformConfiguration['traffic'];

/** What the models of one alias are asked for. */
export interface AliasDemand {
  readonly requestsPerMinute: number;
  readonly tokensPerSecond: number;
  /** As quotas count them: input, and output times its burndown. */
  readonly tokensPerMinute: number;
  readonly dollarsPerHour: number;
}

/** Demand at an instant, less what the cache answers. */
export interface Demand {
  readonly messagesPerMinute: number;
  readonly byAlias: Readonly<Record<ChatAlias, AliasDemand>>;
  /** Events that run then. */
  readonly events: readonly string[];
}

/** Demand of an ordinary week at an instant: hour of day and weekday, no events. */
export function ordinaryDemandAt(configuration: PlatformConfiguration, epochMs: number): Demand {
  return demand(configuration, ordinaryMessagesPerMinute(configuration, epochMs), []);
}

/** Demand at an instant, events included; overlapping events give their maximum, they do not multiply. */
export function demandAt(configuration: PlatformConfiguration, epochMs: number): Demand {
  return demandAmong(configuration, eventsInForceAt(configuration.calendar, epochMs), epochMs);
}

/** The same, for a caller that asks about many instants and has looked the events up once. */
export function demandAmong(
  configuration: PlatformConfiguration,
  occurrences: readonly Occurrence[],
  epochMs: number,
): Demand {
  const running = occurrences.filter((it) => it.startMs <= epochMs && epochMs < it.endMs);
  const multiplier = Math.max(1, ...running.map((it) => it.event.multiplier));
  return demand(
    configuration,
    ordinaryMessagesPerMinute(configuration, epochMs) * multiplier,
    running,
  );
}

function demand(
  configuration: PlatformConfiguration,
  messagesPerMinute: number,
  running: readonly Occurrence[],
): Demand {
  const { traffic } = configuration;
  // A release brings heavier questions as well as more of them; counting requests alone misses it.
  const release = running.some((it) => 'weekday' in it.event) ? traffic.releaseStep : undefined;
  const complexShare = Math.min(
    1,
    (traffic.complexSharePercent / 100) * (release?.complexShareFactor ?? 1),
  );
  const uncached = messagesPerMinute * (1 - traffic.expectedCacheHitPercent / 100);
  const share = { complex: complexShare, simple: 1 - complexShare };
  const tokenFactor = release === undefined ? 1 : perQuestionFactor(traffic, share);
  const [complex, simple] = CHAT_ALIASES.map((alias) =>
    aliasDemand(configuration, alias, uncached * share[alias], tokenFactor),
  );
  return {
    messagesPerMinute,
    byAlias: { complex: complex ?? NOTHING, simple: simple ?? NOTHING },
    events: running.map((it) => it.event.name),
  };
}

const NOTHING: AliasDemand = {
  requestsPerMinute: 0,
  tokensPerSecond: 0,
  tokensPerMinute: 0,
  dollarsPerHour: 0,
};

type Share = Readonly<Record<ChatAlias, number>>;

/**
 * A release's token factor is the average over all questions and already holds the heavier mix; what is left
 * of it lengthens each question.
 */
function perQuestionFactor(traffic: Traffic, shifted: Share): number {
  const complex = traffic.complexSharePercent / 100;
  const ordinary = averageTokens(traffic, { complex, simple: 1 - complex });
  const heavier = averageTokens(traffic, shifted);
  return heavier === 0 ? 1 : (traffic.releaseStep.tokenFactor * ordinary) / heavier;
}

function averageTokens(traffic: Traffic, share: Share): number {
  const tokens = (alias: ChatAlias) =>
    traffic.averageInputTokens[alias] + traffic.averageOutputTokens[alias];
  return share.complex * tokens('complex') + share.simple * tokens('simple');
}

function aliasDemand(
  configuration: PlatformConfiguration,
  alias: ChatAlias,
  requestsPerMinute: number,
  tokenFactor: number,
): AliasDemand {
  const { traffic, models } = configuration;
  const profileId = models.aliases[alias][0]?.profile ?? '';
  const price = models.profiles[profileId]?.dollarsPerMillionTokens;
  const input = requestsPerMinute * traffic.averageInputTokens[alias] * tokenFactor;
  const output = requestsPerMinute * traffic.averageOutputTokens[alias] * tokenFactor;
  const burndown = modelOfProfile(models, profileId)?.outputBurndown ?? 1;
  const dollarsPerMinute =
    (input * (price?.input ?? 0) + output * (price?.output ?? 0)) / 1_000_000;
  return {
    requestsPerMinute,
    tokensPerSecond: (input + output) / 60,
    tokensPerMinute: input + output * burndown,
    dollarsPerHour: dollarsPerMinute * 60,
  };
}

/** The hours share out the day; the weekday adds its part. */
function ordinaryMessagesPerMinute(configuration: PlatformConfiguration, epochMs: number): number {
  const { traffic, calendar } = configuration;
  const clock = wallClock(epochMs, calendar.timeZone);
  const weekday = 1 + traffic.weekdayModifierPercent[clock.weekday] / 100;
  return (traffic.messagesPerDay * shareOfDay(traffic, clock.hour) * weekday) / 60;
}

function shareOfDay(traffic: Traffic, hour: number): number {
  const total = traffic.hourlySharePercent.reduce((sum, share) => sum + share, 0);
  const share = traffic.hourlySharePercent[hour] ?? 0;
  return total === 0 ? 0 : share / total;
}
