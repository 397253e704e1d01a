import type { ChatAlias, PlatformConfiguration } from '@matsuri/contract';
import { seriesOf } from './history';
import type { Load } from './load';
import { linearTrend } from './prediction/linear-trend';
import { predict, type Predictor } from './prediction/predictor';
import { recentRises } from './prediction/recent-rises';
import type { HistoryPoint } from './state';

/** The load of all tasks some time ahead. */
export interface Forecast {
  readonly load: Load;
  readonly aheadSeconds: number;
}

/** How the near future is guessed. */
export interface ForecastRule {
  readonly predictor: Predictor;
  /** How much of the past it looks at. */
  readonly windowSeconds: (configuration: PlatformConfiguration) => number;
  readonly aheadSeconds: (configuration: PlatformConfiguration) => number;
}

/** Straight on, as far ahead as configured. */
export const LINEAR: ForecastRule = {
  predictor: linearTrend,
  windowSeconds: ({ autoscaler }) => autoscaler.regressionSeconds,
  aheadSeconds: ({ autoscaler }) => autoscaler.predictionSeconds,
};

/** As it rose of late, within the time a new task takes to serve after the next cycle sees it. */
export const RISES: ForecastRule = {
  predictor: recentRises,
  windowSeconds: ({ autoscaler }) => autoscaler.historySeconds,
  aheadSeconds: ({ autoscaler, orchestrator }) =>
    orchestrator.taskStartSeconds + autoscaler.intervalSeconds,
};

type FigureOf = (point: HistoryPoint) => number | undefined;

const tokensOf: FigureOf = ({ complex, simple }) =>
  complex === undefined && simple === undefined ? undefined : (complex ?? 0) + (simple ?? 0);

/** Undefined without fresh history: the past is not prolonged over a gap. */
export function forecastLoad(
  rule: ForecastRule,
  history: readonly HistoryPoint[],
  configuration: PlatformConfiguration,
  nowMs: number,
): Forecast | undefined {
  const tokens = forecastFigure(rule, history, tokensOf, configuration, nowMs);
  const busySlots = forecastFigure(rule, history, ({ busy }) => busy, configuration, nowMs);
  if (tokens === undefined && busySlots === undefined) return undefined;
  return {
    load: { tokensPerSecond: tokens ?? 0, busySlots: busySlots ?? 0 },
    aheadSeconds: rule.aheadSeconds(configuration),
  };
}

/** Tokens/s of each model alias some time ahead. */
export function forecastTokens(
  rule: ForecastRule,
  history: readonly HistoryPoint[],
  configuration: PlatformConfiguration,
  nowMs: number,
): Readonly<Record<ChatAlias, number | undefined>> {
  return {
    complex: forecastFigure(rule, history, ({ complex }) => complex, configuration, nowMs),
    simple: forecastFigure(rule, history, ({ simple }) => simple, configuration, nowMs),
  };
}

function forecastFigure(
  rule: ForecastRule,
  history: readonly HistoryPoint[],
  figureOf: FigureOf,
  configuration: PlatformConfiguration,
  nowMs: number,
): number | undefined {
  const { minimumPoints, predictionClampFactor, staleAfterSeconds } = configuration.autoscaler;
  const series = seriesOf(history, figureOf, nowMs - rule.windowSeconds(configuration) * 1_000);
  const lastMs = series.timesMs.at(-1);
  if (lastMs === undefined || nowMs - lastMs > staleAfterSeconds * 1_000) return undefined;
  const aheadMs = rule.aheadSeconds(configuration) * 1_000 + (nowMs - lastMs);
  return predict(rule.predictor, series, aheadMs, {
    minimumPoints,
    clampFactor: predictionClampFactor,
  });
}
