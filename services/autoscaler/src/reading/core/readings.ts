import {
  METRIC_PERIOD_SECONDS,
  profileOf,
  type ChatAlias,
  type PlatformConfiguration,
} from '@matsuri/contract';
import type { ModelReadings, Reading, ServiceReadings } from '../../core';
import {
  ARRIVALS_ID,
  AWS_PERIOD_SECONDS,
  ownedModels,
  ownedProfiles,
  profileId,
  samplesOf,
  throttlesId,
  tokensId,
  type MetricAnswers,
  type PROFILE_SIGNALS,
} from './metric-queries';
import { newestPeriod, wholePeriod } from './whole-period';

const PERIOD_MS = METRIC_PERIOD_SECONDS * 1_000;
const HOUR_SECONDS = 3_600;
const AWS_PERIOD_MS = AWS_PERIOD_SECONDS * 1_000;
/** A count that came a little late belongs to the last period but one. */
const PERIODS_COUNTED = 2;

type Maybe<T> = T | undefined;

export interface Readings {
  readonly service: ServiceReadings;
  readonly models: Readonly<Record<ChatAlias, ModelReadings>>;
}

/** What the answers say, in the words of decisions. What was not answered is no reading, never a zero. */
export function readingsOf(
  answers: MetricAnswers,
  configuration: PlatformConfiguration,
  runningTasks: number | undefined,
  nowMs: number,
): Readings {
  const gauge = (id: string): Maybe<Reading> =>
    wholePeriod(
      { values: answers.get(id) ?? [], samples: answers.get(samplesOf(id)) ?? [] },
      runningTasks,
      PERIOD_MS,
      nowMs,
    );
  const service = {
    inFlight: gauge('inFlight'),
    waiting: gauge('waiting'),
    arrivalsPerSecond: ratePerSecond(gauge(ARRIVALS_ID)),
    queueDepth: gauge('queueDepth'),
    latencyP99Ms: gauge('latency'),
  };
  const source = { answers, configuration, gauge, spokeAtMs: service.inFlight?.atMs, nowMs };
  return {
    service,
    models: { complex: modelReadings('complex', source), simple: modelReadings('simple', source) },
  };
}

function ratePerSecond(counted: Maybe<Reading>): Maybe<Reading> {
  if (counted === undefined) return undefined;
  return { ...counted, value: counted.value / METRIC_PERIOD_SECONDS };
}

interface Source {
  readonly answers: MetricAnswers;
  readonly configuration: PlatformConfiguration;
  readonly gauge: (id: string) => Maybe<Reading>;
  /** When the tasks last spoke: a counter they did not mention then was zero. */
  readonly spokeAtMs: Maybe<number>;
  readonly nowMs: number;
}

function modelReadings(alias: ChatAlias, source: Source): ModelReadings {
  return {
    tokensPerSecond: tokensOf(alias, source),
    inputTokensPerSecond: perSecond(ofProfiles(alias, 'input', source)),
    outputTokensPerSecond: perSecond(ofProfiles(alias, 'output', source)),
    throttles: throttlesOf(alias, source),
    latencyP99Ms: largest(ofProfiles(alias, 'latency', source)),
    onDemandDollarsPerHour: dollarsPerHour(alias, source),
  };
}

/** A profile that answered with nothing was not called; one that did not answer may have cost anything. */
function dollarsPerHour(alias: ChatAlias, source: Source): Maybe<Reading> {
  const { answers, configuration, nowMs } = source;
  const owned = ownedProfiles(configuration);
  const own = owned.flatMap((it, at) => (it.alias === alias ? [{ at, profile: it.name }] : []));
  const tokens = (signal: 'input' | 'output', at: number) => {
    const points = answers.get(profileId(signal, at));
    return points && (newestPeriod(points, AWS_PERIOD_MS, nowMs) ?? { value: 0, atMs: nowMs });
  };
  return own.reduce<Maybe<Reading>>(
    (sum, { at, profile }) => {
      const [input, output] = [tokens('input', at), tokens('output', at)];
      const price = profileOf(configuration.models, profile)?.dollarsPerMillionTokens;
      if (sum === undefined || input === undefined || output === undefined || price === undefined) {
        return undefined;
      }
      const perMinute = (input.value * price.input + output.value * price.output) / 1_000_000;
      return {
        value: sum.value + (perMinute * HOUR_SECONDS) / AWS_PERIOD_SECONDS,
        atMs: Math.min(sum.atMs, input.atMs, output.atMs),
      };
    },
    { value: 0, atMs: nowMs },
  );
}

/** The first model of an alias has to speak; a model that was just added may still be silent. */
function tokensOf(alias: ChatAlias, { configuration, gauge }: Source): Maybe<Reading> {
  const [first, ...others] = modelsOf(alias, configuration).map((at) => gauge(tokensId(at)));
  if (first === undefined) return undefined;
  return others.reduce<Reading>(
    (sum, it) => (it === undefined ? sum : { ...sum, value: sum.value + it.value }),
    first,
  );
}

/** Our own count is quick, AWS's also knows other callers: the larger is believed. */
function throttlesOf(alias: ChatAlias, source: Source): Maybe<Reading> {
  const { answers, configuration, spokeAtMs, nowMs } = source;
  const ids = modelsOf(alias, configuration).map(throttlesId);
  if (spokeAtMs === undefined || ids.some((id) => !answers.has(id))) return undefined;
  const sinceMs = spokeAtMs - PERIODS_COUNTED * PERIOD_MS;
  const own = ids.map((id) =>
    Math.max(
      0,
      ...(answers.get(id) ?? []).filter((it) => it.startMs >= sinceMs).map((it) => it.value),
    ),
  );
  const staleMs = configuration.autoscaler.staleAfterSeconds * 1_000;
  const theirs = ofProfiles(alias, 'throttles', source)
    .filter((it) => nowMs - it.atMs < staleMs)
    .map((it) => it.value);
  return { value: Math.max(total(own), total(theirs)), atMs: spokeAtMs };
}

function ofProfiles(
  alias: ChatAlias,
  signal: keyof typeof PROFILE_SIGNALS,
  { answers, configuration, nowMs }: Source,
): readonly Reading[] {
  return ownedProfiles(configuration).flatMap((owned, at) => {
    if (owned.alias !== alias) return [];
    const points = answers.get(profileId(signal, at)) ?? [];
    return newestPeriod(points, AWS_PERIOD_MS, nowMs) ?? [];
  });
}

function modelsOf(alias: ChatAlias, configuration: PlatformConfiguration): readonly number[] {
  return ownedModels(configuration).flatMap((it, at) => (it.alias === alias ? [at] : []));
}

/** A rate is worth as much as the newest of its parts; a profile that nobody calls says nothing. */
function perSecond(readings: readonly Reading[]): Maybe<Reading> {
  const newest = newestOf(readings);
  if (newest === undefined) return undefined;
  const together = readings.filter((it) => it.atMs === newest.atMs).map((it) => it.value);
  return { atMs: newest.atMs, value: total(together) / AWS_PERIOD_SECONDS };
}

function newestOf(readings: readonly Reading[]): Maybe<Reading> {
  return readings.reduce<Maybe<Reading>>(
    (best, it) => (best === undefined || it.atMs > best.atMs ? it : best),
    undefined,
  );
}

function largest(readings: readonly Reading[]): Maybe<Reading> {
  const newest = newestOf(readings);
  return readings
    .filter((it) => it.atMs === newest?.atMs)
    .reduce<Maybe<Reading>>((best, it) => (it.value > (best?.value ?? -1) ? it : best), undefined);
}

function total(values: readonly number[]): number {
  return values.reduce((sum, it) => sum + it, 0);
}
