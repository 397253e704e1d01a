import type { ChatAlias, Mitigation, PlatformConfiguration } from '@matsuri/contract';
import { queueIsEmergency } from '../floors/emergency-floor';
import { aliasesOver } from '../model-capacity';
import type { ModelFigures } from '../plan';
import { eventsAt } from '../planned';
import type { Lane } from '../state';
import type { Measured } from '../telemetry';
import { figure } from '../wording';

/** What each lane puts in force, mildest first. Nothing is shifted onto the simple model while that is throttled itself. */
export const LADDERS = {
  complex: ['coalesce', 'shift_to_simple', 'extend_cache', 'templates', 'page'],
  simple: ['coalesce', 'extend_cache', 'templates', 'page'],
  queue: ['templates', 'page'],
  event: ['extend_cache'],
} as const satisfies Record<Lane, readonly Mitigation[]>;

/** Whether a lane is pressed; `on` is undefined where nobody knows, and then nothing moves. */
export interface Pressure {
  readonly on: boolean | undefined;
  readonly reason: string;
}

/** What presses now, lane by lane. */
export function pressures(
  measured: Measured,
  figures: Readonly<Record<ChatAlias, ModelFigures>>,
  configuration: PlatformConfiguration,
  nowMs: number,
): Readonly<Record<Lane, Pressure>> {
  return {
    complex: throttling('complex', measured, configuration),
    simple: throttling('simple', measured, configuration),
    queue: {
      on: queueIsEmergency(measured, configuration),
      reason: `queue of ${figure(measured.queueDepth ?? 0)}`,
    },
    event: eventPressure(figures, configuration, nowMs),
  };
}

function throttling(
  alias: ChatAlias,
  { models }: Measured,
  { autoscaler }: PlatformConfiguration,
): Pressure {
  const { throttles } = models[alias];
  return {
    on: throttles === undefined ? undefined : throttles >= autoscaler.emergency.throttles,
    reason: `${figure(throttles ?? 0)} throttles of the ${alias} model`,
  };
}

/** An event that fills what was prepared for it gets more from the cache. */
function eventPressure(
  figures: Readonly<Record<ChatAlias, ModelFigures>>,
  configuration: PlatformConfiguration,
  nowMs: number,
): Pressure {
  const running = eventsAt(configuration, nowMs).filter((it) => it.startMs <= nowMs);
  const { utilisationPercent } = configuration.autoscaler.scaleOut;
  const full = aliasesOver(figures, utilisationPercent / 100);
  const name = running[0]?.event.name ?? 'an event';
  return {
    on: running.length > 0 && full.length > 0,
    reason: `${full.join(' and ')} more than ${utilisationPercent} % used during ${name}`,
  };
}
