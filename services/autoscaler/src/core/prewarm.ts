import { CHAT_ALIASES, type ChatAlias, type PlatformConfiguration } from '@matsuri/contract';
import type { ModelFigures, Prewarm } from './plan';
import { eventsAt } from './planned';
import { percent } from './wording';

/** Popular answers are prepared in an event's lead time, and when a model will soon be full. */
export function prewarmFor(
  figures: Readonly<Record<ChatAlias, ModelFigures>>,
  configuration: PlatformConfiguration,
  nowMs: number,
): Prewarm | undefined {
  return beforeEvent(configuration, nowMs) ?? beforeLoad(figures, configuration, nowMs);
}

function beforeEvent(configuration: PlatformConfiguration, nowMs: number): Prewarm | undefined {
  const [next] = eventsAt(configuration, nowMs)
    .filter((it) => nowMs < it.startMs)
    .sort((a, b) => a.startMs - b.startMs);
  if (next === undefined) return undefined;
  return {
    requestId: `${next.event.name}@${next.startMs}`,
    event: next.event.name,
    titles: configuration.autoscaler.prewarmTitles,
    notAfterMs: next.startMs,
    reason: `'${next.event.name}' is ahead`,
  };
}

function beforeLoad(
  figures: Readonly<Record<ChatAlias, ModelFigures>>,
  { autoscaler }: PlatformConfiguration,
  nowMs: number,
): Prewarm | undefined {
  const { preemptivePercent } = autoscaler.scaleOut;
  const alias = CHAT_ALIASES.find(
    (it) => (figures[it].predictedUtilisation ?? 0) > preemptivePercent / 100,
  );
  if (alias === undefined) return undefined;
  // The same request for as long as answers are kept warm, not one per cycle.
  const periodMs = autoscaler.historySeconds * 1_000;
  const startMs = Math.floor(nowMs / periodMs) * periodMs;
  return {
    requestId: `load-${alias}@${startMs}`,
    event: `load_${alias}`,
    titles: autoscaler.prewarmTitles,
    notAfterMs: startMs + periodMs,
    reason: `${percent(figures[alias].predictedUtilisation ?? 0)} of the ${alias} model expected`,
  };
}
