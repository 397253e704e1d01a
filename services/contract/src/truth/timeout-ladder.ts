import { firstContentLimitMs } from '../configuration/timeouts';
import type { PlatformConfiguration } from '../configuration/platform';
import { error, figure, type Contradiction } from './contradiction';

interface Rung {
  readonly name: string;
  readonly ms: number;
}

const STRICTLY_BELOW = 'must be shorter than';

/** Every timeout fires before the one that waits for it, or an inner failure is seen as an outer one. */
export function timeoutLadder(configuration: PlatformConfiguration): readonly Contradiction[] {
  const t = configuration.timeouts;
  const rung = (name: keyof typeof t): Rung => ({ name: `timeouts.${name}`, ms: t[name] });

  return [
    ...ordered(rung('connectMs'), rung('firstContentMs')),
    ...ordered(rung('firstContentMs'), rung('firstContentThinkingMs')),
    ...ordered(rung('firstContentMs'), rung('requestDeadlineMs')),
    ...ordered(longestFirstContent(configuration), rung('requestDeadlineThinkingMs')),
    ...ordered(rung('requestDeadlineThinkingMs'), rung('chunkGapMs')),
    ...ordered(rung('requestDeadlineThinkingMs'), rung('nonStreamingTotalMs')),
    ...ordered(rung('chunkGapMs'), rung('albIdleMs')),
    ...ordered(rung('nonStreamingTotalMs'), rung('albIdleMs')),
    ...ordered(rung('albIdleMs'), rung('keepAliveMs')),
    ...ordered(rung('keepAliveMs'), rung('headersTimeoutMs')),
  ];
}

function ordered(inner: Rung, outer: Rung): Contradiction[] {
  if (inner.ms < outer.ms) return [];
  return [
    error(
      'timeout-ladder',
      `${inner.name} (${figure(inner.ms)} ms) ${STRICTLY_BELOW} ${outer.name} (${figure(outer.ms)} ms): ` +
        'the outer one would fire first and hide what happened inside.',
      `Lower ${inner.name} below ${figure(outer.ms)}, or raise ${outer.name} above ${figure(inner.ms)}.`,
    ),
  ];
}

/** The first-content limit of a thinking model whose context is full. */
function longestFirstContent(configuration: PlatformConfiguration): Rung {
  const contexts = Object.values(configuration.models.models).map((model) => model.contextTokens);
  const inputTokens = Math.max(0, ...contexts);
  return {
    name: `timeouts.firstContentThinkingMs grown by ${figure(inputTokens)} input tokens`,
    ms: firstContentLimitMs(configuration.timeouts, { inputTokens, thinking: true }),
  };
}
