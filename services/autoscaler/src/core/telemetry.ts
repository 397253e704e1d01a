import { CHAT_ALIASES, type ChatAlias, type PlatformConfiguration } from '@matsuri/contract';
import type { TelemetryVerdict } from './plan';
import type { ModelReadings, Reading, ServiceTasks, Snapshot } from './snapshot';
import type { HistoryPoint } from './state';
import { loadOf, tasksFor } from './load';

/** Undefined where there is no fresh reading. */
type Known = number | undefined;

/** Fresh readings of one model alias. */
export interface MeasuredModel {
  readonly tokensPerSecond: Known;
  readonly inputTokensPerSecond: Known;
  readonly outputTokensPerSecond: Known;
  readonly throttles: Known;
  readonly latencyP99Ms: Known;
}

/** What of a snapshot can be believed now. */
export interface Measured {
  /** When the newest believable demand was measured. */
  readonly atMs: Known;
  readonly tasks: ServiceTasks | undefined;
  readonly inFlight: Known;
  readonly waiting: Known;
  readonly arrivalsPerSecond: Known;
  readonly queueDepth: Known;
  readonly latencyP99Ms: Known;
  readonly models: Readonly<Record<ChatAlias, MeasuredModel>>;
}

/** Readings that are fresh and possible; the others count as missing. */
export function measure(
  snapshot: Snapshot,
  configuration: PlatformConfiguration,
  nowMs: number,
): Measured {
  const staleMs = configuration.autoscaler.staleAfterSeconds * 1_000;
  const fresh = (reading: Reading | undefined) => {
    const value = believable(reading, nowMs, staleMs)?.value;
    return value === undefined ? undefined : Math.max(0, value);
  };
  const { inFlight, waiting, arrivalsPerSecond, queueDepth, latencyP99Ms } = snapshot.service;
  const demand = [
    inFlight,
    waiting,
    ...CHAT_ALIASES.map((alias) => snapshot.models[alias].tokensPerSecond),
  ].flatMap((reading) => believable(reading, nowMs, staleMs)?.atMs ?? []);
  return {
    atMs: demand.length === 0 ? undefined : Math.min(nowMs, Math.max(...demand)),
    tasks: possible(snapshot.tasks) ? snapshot.tasks : undefined,
    inFlight: fresh(inFlight),
    waiting: fresh(waiting),
    arrivalsPerSecond: fresh(arrivalsPerSecond),
    queueDepth: fresh(queueDepth),
    latencyP99Ms: fresh(latencyP99Ms),
    models: {
      complex: measuredModel(snapshot.models.complex, fresh),
      simple: measuredModel(snapshot.models.simple, fresh),
    },
  };
}

/** Whether all is known that giving capacity back needs, and what is not. */
export function judgeTelemetry(
  measured: Measured,
  history: readonly HistoryPoint[],
  configuration: PlatformConfiguration,
  nowMs: number,
): TelemetryVerdict {
  const missing = missingReadings(measured);
  const silence =
    missing.length === 0 && isSilent(measured) && !silenceIsOld(history, configuration, nowMs);
  const problems = silence
    ? [`every reading is zero at once while ${measured.tasks?.running ?? 0} tasks run`]
    : missing;
  return { complete: problems.length === 0, problems };
}

function missingReadings(measured: Measured): readonly string[] {
  const needed = [
    ['task counts', measured.tasks],
    ['calls in flight', measured.inFlight],
    ['waiting requests', measured.waiting],
    ['queue depth', measured.queueDepth],
    // Nobody is slow where nobody asks.
    ['p99 latency', measured.latencyP99Ms ?? (isSilent(measured) ? 0 : undefined)],
    ...CHAT_ALIASES.map((it) => [`tokens/s of ${it}`, measured.models[it].tokensPerSecond]),
  ] as const;
  return needed.filter(([, value]) => value === undefined).map(([name]) => `no fresh ${name}`);
}

function isSilent({ inFlight, waiting, models }: Measured): boolean {
  return [inFlight, waiting, models.complex.tokensPerSecond, models.simple.tokensPerSecond].every(
    (value) => value === 0,
  );
}

/** Load worth several tasks does not vanish within one period; only a long silence is believed. */
function silenceIsOld(
  history: readonly HistoryPoint[],
  configuration: PlatformConfiguration,
  nowMs: number,
): boolean {
  const { historySeconds, staleAfterSeconds } = configuration.autoscaler;
  const watchedMs = nowMs - (history[0]?.atMs ?? nowMs);
  if (watchedMs < (historySeconds - staleAfterSeconds) * 1_000) return false;
  return history.every((point) => tasksFor(loadOf(point), configuration, 1) <= 1);
}

function measuredModel(
  readings: ModelReadings,
  fresh: (reading: Reading | undefined) => number | undefined,
): MeasuredModel {
  return {
    tokensPerSecond: fresh(readings.tokensPerSecond),
    inputTokensPerSecond: fresh(readings.inputTokensPerSecond),
    outputTokensPerSecond: fresh(readings.outputTokensPerSecond),
    throttles: fresh(readings.throttles),
    latencyP99Ms: fresh(readings.latencyP99Ms),
  };
}

function believable(
  reading: Reading | undefined,
  nowMs: number,
  staleMs: number,
): Reading | undefined {
  if (reading === undefined || !isAmount(reading.value)) return undefined;
  return Math.abs(nowMs - reading.atMs) <= staleMs ? reading : undefined;
}

function possible(tasks: ServiceTasks | undefined): tasks is ServiceTasks {
  return tasks !== undefined && [tasks.running, tasks.desired, tasks.minCapacity].every(isCount);
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

/** Sums of fractions end a hair below zero now and then; that is zero, not an impossible reading. */
const ROUNDING = 1e-6;
/** Nothing that is counted here comes near; sums of such figures stay finite. */
const IMPOSSIBLY_MUCH = 1e12;

function isAmount(value: number): boolean {
  return value > -ROUNDING && value < IMPOSSIBLY_MUCH;
}
