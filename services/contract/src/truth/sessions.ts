import type { PlatformConfiguration } from '../configuration/platform';
import { error, type Contradiction } from './contradiction';

/** What a client may come back for is still there when it comes. */
export function sessions({ sessions: figures }: PlatformConfiguration): readonly Contradiction[] {
  if (figures.frameRetentionSeconds > figures.detachedSeconds) return [];
  return [
    error(
      'frames-forgotten-early',
      `An answer goes on for ${figures.detachedSeconds} s without its client, but frames are kept ` +
        `${figures.frameRetentionSeconds} s: a client that returns in time finds a gap.`,
      `Set sessions.frameRetentionSeconds well above ${figures.detachedSeconds}.`,
    ),
  ];
}

/** Mitigation makes answers live longer, never shorter. */
export function cacheTimes({ mitigations }: PlatformConfiguration): readonly Contradiction[] {
  const { normal, event, throttled } = mitigations.cacheSeconds;
  if (normal <= event && event <= throttled) return [];
  return [
    error(
      'cache-times',
      `mitigations.cacheSeconds are ${normal} normal, ${event} in events, ${throttled} when throttled: mitigating would ` +
        'shorten the life of answers and send more calls to the models.',
      'Order them: normal ≤ event ≤ throttled.',
    ),
  ];
}
